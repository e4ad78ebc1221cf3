/** Three or four digits that matter, in a form people read: 0.0123, 12.3, 4.56e7. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return "\u2013";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-3) return minus(value.toExponential(2).replace("e+", "e"));
  return minus(size >= 1000 ? value.toFixed(0) : value.toPrecision(3));
}

const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"]];

/** [s] with as many digits as tell one frame from the next. */
export function timeText(time: number, times: number[]): string {
  let shortest = 1e-3;
  for (let i = 1; i < times.length; ++i) if (times[i] > times[i - 1]) shortest = Math.min(shortest, times[i] - times[i - 1]);
  return `${time.toFixed(Math.min(Math.ceil(-Math.log10(shortest) - 1e-9), 6))} s`;
}

/** With the prefix of the unit: 12.3 kPa. */
export function withUnit(value: number, unit: string): string {
  const found = prefixes.find(([f]) => Math.abs(value) >= f);
  if (!found || !Number.isFinite(value)) return `${shortNumber(value)} ${unit}`;
  const [factor, prefix] = found;
  return `${minus((value / factor).toPrecision(3))} ${prefix}${unit}`;
}

/** Of a value with one digit that matters: 10 N, 200 mN. */
export function roundWithUnit(value: number, unit: string): string {
  return withUnit(value, unit).replace(/\.0+ /, " ");
}

/** One or more components with one prefix of their unit, by the length of the vector: 3.61, 0, \u22120.580 mm/s. All are 0 below `least`. */
export function vectorText(v: ArrayLike<number>, unit: string, least: number): string {
  const length = Math.hypot(...Array.from(v));
  const [factor, prefix] = prefixes.find(([f]) => length >= (f > 1 ? 10 : 0.3) * f) ?? [1, ""];
  return length < least ? `${components(Array.from(v, () => 0))} ${unit}` : `${components(Array.from(v, (x) => x / factor))} ${prefix}${unit}`;
}

/** Components without what is nothing beside the largest of them. */
export function settled(v: number[]): number[] {
  const largest = v.reduce((most, x) => (Math.abs(x) > most ? Math.abs(x) : most), 0);
  return v.map((x) => (Math.abs(x) < 5e-5 * largest ? 0 : x));
}

/** Three digits of the largest, fewer of those much smaller, and no more than three decimals, so that a vector fits into a line. */
function components(v: number[]): string {
  const largest = Math.max(...v.map(Math.abs));
  const part = (x: number) => {
    const size = Math.abs(x) / largest;
    if (x === 0 || largest < 1e-3 || size >= 0.1) return shortNumber(x);
    const decimals = Math.max((size < 0.01 ? 0 : 1) - Math.floor(Math.log10(Math.abs(x))), 0);
    const rounded = x.toFixed(Math.min(decimals, 3));
    return Number(rounded) === 0 ? "0" : minus(rounded);
  };
  return settled(v).map(part).join(", ");
}

function minus(text: string): string {
  return text.replace(/-/g, "\u2212");
}

/** An element with text; text is never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: { class?: string; text?: string } = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (options.class) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
