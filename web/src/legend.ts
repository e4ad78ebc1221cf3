import { slideColour, stickColour, viridisStyle } from "./colour";
import { element, roundWithUnit, withUnit } from "./format";
import { Theatre } from "./theatre";

/** [pixels] of the arrow beside its force, at most. */
const longestKey = 60;
const names: Record<string, string> = { speed: "Speed", stress: "Von Mises stress", penetration: "Contact depth" };

function key(colour: string, text: string): HTMLElement {
  const dot = element("span", { class: "dot" });
  dot.style.background = colour;
  return element("div", { class: "key" }, dot, text);
}

export interface ColourScaleKey {
  name: string;
  from: string;
  to: string;
}

/** What the scale of colours stands for; null where there is none. */
export function colourScaleKey(theatre: Theatre): ColourScaleKey | null {
  const scale = theatre.painter.scale();
  return scale && { name: names[theatre.look.colour], from: "0", to: `\u2265 ${withUnit(scale.max, scale.unit)}` };
}

/** An arrow of a round force, in the middle of the picture; null where no arrow is drawn. */
export function forceKey(theatre: Theatre): { pixels: number; text: string } | null {
  const found = theatre.marks.roundForce(longestKey);
  if (!found) return null;
  const cut = found.cut === null ? "" : `, longest from ${withUnit(found.cut, "N")}`;
  return { pixels: found.pixels, text: `= ${roundWithUnit(found.force, "N")}${cut}` };
}

/** What the colours stand for. */
export function showColourLegend(legend: HTMLElement, theatre: Theatre): void {
  const mode = theatre.look.colour;
  const scale = colourScaleKey(theatre);
  const contacts = theatre.frame?.contacts;
  legend.hidden = !scale && !(mode === "contact" && contacts);
  if (scale) {
    const bar = element("div", { class: "bar" });
    bar.style.background = viridisStyle;
    const ends = element("div", { class: "ends" }, scale.from, element("span", { text: scale.to }));
    legend.replaceChildren(scale.name, bar, ends);
  } else if (mode === "contact" && contacts) {
    let sticking = 0;
    for (let i = 0; i < contacts.count; ++i) sticking += contacts.sticks[i];
    legend.replaceChildren("Contacts", key(stickColour, `stick: ${sticking}`), key(slideColour, `slide: ${contacts.count - sticking}`));
  }
}

/** How long an arrow is that stands for a force, and what its colour says. */
export function showForceLegend(box: HTMLElement, arrow: HTMLElement, theatre: Theatre): void {
  const shown = theatre.look.arrows ? forceKey(theatre) : null;
  box.hidden = shown === null;
  if (!shown) return;
  const line = element("i", { class: "arrow" });
  line.style.width = `${shown.pixels}px`;
  arrow.title = `An arrow of this length ${shown.text}`;
  arrow.replaceChildren(line, element("b", { text: shown.text }), key(stickColour, "sticks"), key(slideColour, "slides"));
}
