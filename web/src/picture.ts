import { slideColour, stickColour, viridisStops } from "./colour";
import { element } from "./format";
import { ColourScaleKey, colourScaleKey, forceKey } from "./legend";
import { Theatre } from "./theatre";

/** [pixels of the page] */
const margin = 16;
const titleSize = 16;
const textSize = 13;
const barSize: [number, number] = [170, 8];

/** Saves what the canvas shows as a file, with title and time, and what arrows and colours stand for. */
export function savePicture(theatre: Theatre, title: string, time: string): void {
  captioned(theatre, title, time).toBlob((blob) => {
    if (!blob) return;
    const link = element("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${`${title} ${time}`.replace(/[^\p{L}\p{N}.,_ -]/gu, "").trim() || "stickslip"}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }, "image/png");
}

function captioned(theatre: Theatre, title: string, time: string): HTMLCanvasElement {
  const { stage } = theatre;
  stage.draw();
  const shown = stage.renderer.domElement;
  const canvas = element("canvas");
  canvas.width = shown.width;
  canvas.height = shown.height;
  const context = canvas.getContext("2d")!;
  context.drawImage(shown, 0, 0);
  const ratio = shown.width / Math.max(shown.clientWidth, 1);
  context.scale(ratio, ratio);
  const [width, height] = [shown.width / ratio, shown.height / ratio];
  const pen = new Pen(context, width - 2 * margin);
  pen.write(title, margin, margin + titleSize, titleSize, true);
  pen.write(time, margin, margin + titleSize + 1.6 * textSize, textSize);
  let bottom = height - margin;
  const scale = colourScaleKey(theatre);
  if (scale) bottom = drawScale(pen, scale, bottom);
  const arrow = theatre.look.arrows ? forceKey(theatre) : null;
  if (arrow) {
    pen.arrow(margin, bottom - 0.35 * textSize, arrow.pixels);
    let x = pen.write(arrow.text, margin + arrow.pixels + 10, bottom, textSize) + 16;
    for (const [colour, text] of [[stickColour, "sticks"], [slideColour, "slides"]]) {
      pen.dot(x + 5, bottom - 0.35 * textSize, colour);
      x = pen.write(text, x + 15, bottom, textSize) + 14;
    }
  }
  return canvas;
}

/** The bar of colours, its ends and its name above; returns where the next line may stand. */
function drawScale(pen: Pen, { name, from, to }: ColourScaleKey, bottom: number): number {
  const [long, thick] = barSize;
  const top = bottom - 1.5 * textSize - thick;
  pen.bar(margin, top, long, thick);
  pen.write(from, margin, bottom, textSize);
  pen.write(to, margin + long, bottom, textSize, false, "right");
  pen.write(name, margin, top - 0.5 * textSize, textSize);
  return top - 2.2 * textSize;
}

/** Writes in the colours of the page, with a rim so that it can be read over anything. */
class Pen {
  private readonly ink: string;
  private readonly paper: string;
  private readonly family: string;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly room: number,
  ) {
    const style = getComputedStyle(document.documentElement);
    this.ink = style.getPropertyValue("--text");
    this.paper = style.getPropertyValue("--page");
    this.family = getComputedStyle(document.body).fontFamily;
  }

  /** Returns where the text ends. */
  write(text: string, x: number, y: number, size: number, strong = false, align: CanvasTextAlign = "left"): number {
    const { context } = this;
    context.font = `${strong ? 600 : 400} ${size}px ${this.family}`;
    context.textAlign = align;
    const fitting = this.shortened(text);
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = this.paper;
    context.strokeText(fitting, x, y);
    context.fillStyle = this.ink;
    context.fillText(fitting, x, y);
    return x + context.measureText(fitting).width;
  }

  private shortened(text: string): string {
    if (this.context.measureText(text).width <= this.room) return text;
    const letters = [...text];
    while (letters.length > 0 && this.context.measureText(`${letters.join("")}\u2026`).width > this.room) letters.pop();
    return `${letters.join("")}\u2026`;
  }

  arrow(x: number, y: number, long: number): void {
    const { context } = this;
    context.fillStyle = this.ink;
    context.fillRect(x, y - 1, Math.max(long - 7, 0), 2);
    context.beginPath();
    context.moveTo(x + long, y);
    context.lineTo(x + long - 8, y - 4);
    context.lineTo(x + long - 8, y + 4);
    context.fill();
  }

  dot(x: number, y: number, colour: string): void {
    this.context.fillStyle = colour;
    this.context.beginPath();
    this.context.arc(x, y, 5, 0, 2 * Math.PI);
    this.context.fill();
  }

  bar(x: number, y: number, long: number, thick: number): void {
    const colours = this.context.createLinearGradient(x, 0, x + long, 0);
    viridisStops.forEach((colour, i) => colours.addColorStop(i / (viridisStops.length - 1), colour));
    this.context.fillStyle = colours;
    this.context.fillRect(x, y, long, thick);
  }
}
