import { element, shortNumber } from "./format";

export interface Series {
  name: string;
  time: ArrayLike<number>;
  value: ArrayLike<number>;
}

const lineColours = ["#3a7ebf", "#e08e2b", "#2a9d7c", "#c46fa3", "#8a83c9"];

/** Lines over time with a cursor at the time that is shown; a click or a drag asks for another time. */
export class Plot {
  readonly root: HTMLDivElement;
  private readonly canvas = element("canvas");
  private readonly keys = element("div", { class: "keys" });
  private readonly values: HTMLElement[] = [];
  private series: Series[] = [];
  private time = 0;
  private end = 1;
  private range: [number, number] = [0, 1];

  constructor(
    title: string,
    unit: string,
    private readonly seek: (time: number) => void,
    private readonly options: { logarithmic?: boolean; fromZero?: boolean } = {},
  ) {
    this.root = element("div", { class: "plot" }, element("div", { class: "head", text: title }, element("span", { text: unit })));
    this.root.append(this.canvas, this.keys);
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

  set(series: Series[], end: number): void {
    this.series = series.filter((s) => s.value.length > 0);
    this.end = end > 0 ? end : 1;
    this.root.hidden = this.series.length === 0;
    this.keys.replaceChildren();
    this.values.length = 0;
    this.series.forEach((s, i) => {
      const line = element("i");
      line.style.background = lineColours[i % lineColours.length];
      const value = element("b");
      this.values.push(value);
      this.keys.append(element("span", {}, line, s.name, value));
    });
    this.range = this.findRange();
    this.moveTo(this.time);
  }

  moveTo(time: number): void {
    this.time = time;
    this.series.forEach((s, i) => (this.values[i].textContent = shortNumber(valueAt(s, time))));
    this.draw();
  }

  private findRange(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const s of this.series)
      for (let i = 0; i < s.value.length; ++i) {
        const v = this.map(s.value[i]);
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
    const y = (v: number) => height - 1 - ((this.map(v) - low) / (high - low)) * (height - 2);
    const x = (t: number) => (t / this.end) * width;
    context.font = `11px ${style.fontFamily}`;
    for (const tick of this.ticks()) {
      const at = Math.round(y(tick)) + 0.5;
      context.strokeStyle = style.getPropertyValue("--grid");
      context.beginPath();
      context.moveTo(0, at);
      context.lineTo(width, at);
      context.stroke();
    }
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    this.series.forEach((s, i) => {
      context.strokeStyle = lineColours[i % lineColours.length];
      context.beginPath();
      for (let k = 0, pen = false; k < s.value.length; ++k) {
        pen = Number.isFinite(s.value[k]) && (pen ? context.lineTo(x(s.time[k]), y(s.value[k])) : context.moveTo(x(s.time[k]), y(s.value[k])), true);
      }
      context.stroke();
    });
    this.drawCursor(context, x(this.time), height, style.getPropertyValue("--text"), y);
    context.strokeStyle = style.getPropertyValue("--surface"); // a rim keeps the numbers legible on lines
    context.lineWidth = 4;
    context.fillStyle = style.getPropertyValue("--quiet");
    for (const tick of this.ticks()) {
      const at = Math.round(y(tick)) - 3;
      if (at < 10) continue;
      context.strokeText(tickText(tick), 2, at);
      context.fillText(tickText(tick), 2, at);
    }
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
      context.fillStyle = lineColours[i % lineColours.length];
      context.beginPath();
      context.arc(x, y(value), 3, 0, 2 * Math.PI);
      context.fill();
    });
  }

  private ticks(): number[] {
    const [low, high] = this.range;
    if (this.options.logarithmic) return [1, 10, 100, 1000, 10000].filter((v) => this.map(v) >= low && this.map(v) <= high);
    const raw = (high - low) / 3;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw)!;
    const ticks = [];
    for (let v = Math.ceil(low / step) * step; v <= high; v += step) ticks.push(Math.abs(v) < 1e-9 * step ? 0 : v);
    return ticks;
  }
}

function tickText(tick: number): string {
  return String(Number(tick.toPrecision(6))).replace(/e\+/, "e").replace(/-/g, "\u2212");
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
