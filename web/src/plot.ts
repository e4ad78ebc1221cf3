import { element, settled, shortNumber } from "./format";

export interface Series {
  name: string;
  time: ArrayLike<number>;
  value: ArrayLike<number>;
  /** Of the run to compare with: dashed, in the colour of the series it stands after. */
  ghost?: boolean;
}

export interface PlotOptions {
  logarithmic?: boolean;
  fromZero?: boolean;
  whole?: boolean;
  /** Its curves are components: those far below the largest one are 0. */
  vector?: boolean;
}

/** [pixels] between the curves and the edges of their canvas. */
const rim = 4;

const lineColours = ["#3a7ebf", "#e08e2b", "#2a9d7c", "#c46fa3", "#8a83c9"];

/** Lines over time with a cursor at the time that is shown; a click or a drag asks for another time. */
export class Plot {
  readonly root: HTMLDivElement;
  private readonly canvas = element("canvas");
  /** Values beside the canvas, times below it. */
  private readonly labels = element("div", { class: "labels" });
  private labelled = "";
  private readonly keys = element("div", { class: "keys" });
  private readonly values: HTMLElement[] = [];
  private series: Series[] = [];
  private time = 0;
  private end = 1;
  private range: [number, number] = [0, 1];
  /** Below this is round-off. */
  private least = 0;

  /** `remove`: what takes it away, if it can be. */
  constructor(
    title: string,
    unit: string,
    private readonly seek: (time: number) => void,
    private readonly options: PlotOptions = {},
    remove?: () => void,
  ) {
    const head = element("div", { class: "head", text: title }, element("span", { text: unit }));
    if (remove) head.append(removeButton(title, remove));
    this.root = element("div", { class: "plot" }, head);
    this.root.append(element("div", { class: "frame" }, this.canvas, this.labels), this.keys);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    const ask = (event: PointerEvent) => {
      if (!(event.buttons & 1)) return;
      const place = this.canvas.getBoundingClientRect();
      this.seek((Math.min(Math.max((event.clientX - place.left) / place.width, 0), 1) || 0) * this.end);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      ask(event);
    });
    this.canvas.addEventListener("pointermove", ask);
  }

  /** `least`: values below are round-off. */
  set(series: Series[], end: number, least: number): void {
    this.series = series.filter((s) => s.value.length > 0);
    this.least = least;
    this.end = end > 0 ? end : 1;
    this.root.hidden = this.series.length === 0;
    this.keys.replaceChildren();
    this.values.length = 0;
    this.series.forEach((s, i) => {
      const line = element("i", { class: s.ghost ? "dashed" : "" });
      line.style.color = this.colour(i);
      const value = element("b");
      this.values.push(value);
      this.keys.append(element("span", {}, line, s.name, value));
    });
    this.range = this.findRange();
    this.moveTo(this.time);
  }

  moveTo(time: number): void {
    this.time = time;
    const exact = this.series.map((s) => this.withoutRoundOff(valueAt(s, time)));
    (this.options.vector ? settled(exact) : exact).forEach((value, i) => {
      this.values[i].textContent = this.options.whole ? wholeNumber(value) : shortNumber(value);
    });
    this.draw();
  }

  private withoutRoundOff(value: number): number {
    return Math.abs(value) < this.least ? 0 : value;
  }

  private colour(i: number): string {
    let place = -1;
    for (let k = 0; k <= i; ++k) if (!this.series[k].ghost || k === 0) ++place;
    return lineColours[place % lineColours.length];
  }

  private findRange(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const s of this.series)
      for (let i = 0; i < s.value.length; ++i) {
        const v = this.map(this.withoutRoundOff(s.value[i]));
        if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
      }
    if (!(low <= high)) return [0, 1];
    if (low > 0 && (low < 0.6 * high || this.options.fromZero)) low = 0;
    // What hardly changes shall look as if it hardly changed.
    const least = 0.02 * (Math.max(Math.abs(low), Math.abs(high)) || 1);
    if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
    const room = 0.06 * (high - low);
    return [low === 0 ? 0 : low - room, high + room];
  }

  private map(value: number): number {
    return this.options.logarithmic ? Math.log10(Math.max(value, 1)) : value;
  }

  private draw(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const context = this.canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const [low, high] = this.range;
    const y = (v: number) => height - rim - ((this.map(v) - low) / (high - low)) * (height - 2 * rim);
    const x = (t: number) => (t / this.end) * width;
    this.drawGrid(context, style.getPropertyValue("--grid"), x, y);
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    this.series.forEach((s, i) => {
      context.strokeStyle = this.colour(i);
      context.setLineDash(s.ghost ? [4, 3] : []);
      context.beginPath();
      for (let k = 0, pen = false; k < s.value.length; ++k) {
        pen = Number.isFinite(s.value[k]) && (pen ? context.lineTo(x(s.time[k]), y(s.value[k])) : context.moveTo(x(s.time[k]), y(s.value[k])), true);
      }
      context.stroke();
    });
    context.setLineDash([]);
    this.drawCursor(context, x(this.time), height, style.getPropertyValue("--text"), y);
  }

  private drawGrid(context: CanvasRenderingContext2D, colour: string, x: (t: number) => number, y: (v: number) => number): void {
    const { width, height } = this.canvas.getBoundingClientRect();
    context.strokeStyle = colour;
    context.lineWidth = 1;
    const labels: HTMLElement[] = [];
    const line = (x0: number, y0: number, x1: number, y1: number) => {
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      context.stroke();
    };
    for (const tick of this.ticks()) {
      const at = Math.min(Math.round(y(tick)) + 0.5, height - 0.5);
      line(0, at, width, at);
      const label = element("span", { class: "value", text: tickText(tick) });
      label.style.top = `${at}px`;
      labels.push(label);
    }
    const times = roundTicks(0, this.end, 4);
    times.forEach((tick, i) => {
      const at = Math.min(Math.round(x(tick)) + 0.5, width - 0.5);
      line(at, 0, at, height);
      const label = element("span", { class: "time", text: tickText(tick) + (i === times.length - 1 ? " s" : "") });
      label.style.left = `${at}px`;
      if (at > width - 20) label.classList.add("last");
      labels.push(label);
    });
    const shown = labels.map((label) => label.textContent + label.style.cssText).join();
    if (shown === this.labelled) return;
    this.labelled = shown;
    this.labels.replaceChildren(...labels);
  }

  private drawCursor(context: CanvasRenderingContext2D, x: number, height: number, colour: string, y: (v: number) => number): void {
    context.strokeStyle = colour;
    context.globalAlpha = 0.5;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
    context.globalAlpha = 1;
    this.series.forEach((s, i) => {
      const value = valueAt(s, this.time);
      if (!Number.isFinite(value)) return;
      context.fillStyle = this.colour(i);
      context.beginPath();
      context.arc(x, y(value), 3, 0, 2 * Math.PI);
      context.fill();
    });
  }

  private ticks(): number[] {
    const [low, high] = this.range;
    if (this.options.logarithmic) return [1, 10, 100, 1000, 10000].filter((v) => this.map(v) >= low && this.map(v) <= high);
    return roundTicks(low, high, 4).filter((tick) => !this.options.whole || Number.isInteger(tick));
  }
}

function removeButton(title: string, remove: () => void): HTMLButtonElement {
  const button = element("button", { class: "remove", text: "\u00d7" });
  button.title = "Take this plot away";
  button.setAttribute("aria-label", `Take away: ${title}`);
  button.addEventListener("click", remove);
  return button;
}

/** About so many round numbers between two. */
function roundTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999)!;
  const ticks = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9 * step; v += step) ticks.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return ticks;
}

function wholeNumber(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value)) : "\u2013";
}

function tickText(tick: number): string {
  const value = Number(tick.toPrecision(6));
  const size = Math.abs(value);
  const text = size > 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential() : String(value);
  return text.replace(/e\+/, "e").replace(/-/g, "\u2212");
}

/** The value at the last row that is not after `time`. */
export function valueAt(series: Series, time: number): number {
  const { time: times, value } = series;
  let low = 0;
  let high = times.length; // rows before `low` are not after `time`; those from `high` on are
  const tolerance = 1e-6 * Math.max(1, Math.abs(time));
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time + tolerance) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? value[low - 1] : value.length > 0 ? value[0] : NaN;
}
