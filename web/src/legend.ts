import { slideColour, stickColour, viridisStyle } from "./colour";
import { element, roundWithUnit, withUnit } from "./format";
import { chainStyle } from "./marks";
import { Theatre } from "./theatre";

/** [pixels] of the arrow beside its force, at most. */
const longestKey = 60;
/** So long that there is a shaft behind the head, where arrows of the picture are shorter. */
const shortestKey = 18;
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
  return scale && { name: names[theatre.look.colour], from: `0 ${scale.unit}`, to: `\u2265 ${withUnit(scale.max, scale.unit)}` };
}

/** An arrow of a round force, in the middle of the picture; null where no arrow is drawn. */
export function forceKey(theatre: Theatre): { pixels: number; text: string } | null {
  const found = theatre.marks.roundForce(longestKey);
  if (!found) return null;
  const cut = found.cut === null ? "" : `, no longer above ${withUnit(found.cut, "N")}`;
  const larger = found.pixels < shortestKey ? ", enlarged" : "";
  return { pixels: Math.max(found.pixels, shortestKey), text: `= ${roundWithUnit(found.force, "N")}${larger}${cut}` };
}

function bar(name: string, colours: string, from: string, to: string): (Node | string)[] {
  const line = element("div", { class: "bar" });
  line.style.background = colours;
  return [element("div", { class: "name", text: name }), line, element("div", { class: "ends" }, element("span", { text: from }), element("span", { text: to }))];
}

/** What the colours of bodies, dots and force chains stand for. */
export function showColourLegend(legend: HTMLElement, theatre: Theatre): void {
  const parts: (Node | string)[] = [];
  const scale = colourScaleKey(theatre);
  if (scale) parts.push(...bar(scale.name, viridisStyle, scale.from, scale.to));
  const contacts = theatre.frame?.contacts;
  if (theatre.look.colour === "contact" && contacts) {
    const sticking = contacts.sticks.reduce((sum, sticks) => sum + sticks, 0);
    parts.push("Contacts", key(stickColour, `stick: ${sticking}`), key(slideColour, `slide: ${contacts.count - sticking}`));
  }
  const chained = theatre.marks.chainForce();
  if (chained !== null) parts.push(...bar("Normal force of chains", chainStyle, "0 N", `\u2265 ${withUnit(chained, "N")}`));
  legend.hidden = parts.length === 0;
  legend.replaceChildren(...parts);
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
