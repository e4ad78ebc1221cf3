import { slideColour, stickColour, viridisStyle } from "./colour";
import { element, withUnit } from "./format";
import { Theatre } from "./theatre";

const arrowPixels = 46;
const names: Record<string, string> = { speed: "Speed", stress: "Von Mises stress", penetration: "Contact depth" };

function key(colour: string, text: string): HTMLElement {
  const dot = element("span", { class: "dot" });
  dot.style.background = colour;
  return element("div", { class: "key" }, dot, text);
}

/** What the colours stand for. */
export function showColourLegend(legend: HTMLElement, theatre: Theatre): void {
  const mode = theatre.look.colour;
  const scale = theatre.painter.scale();
  const contacts = theatre.frame?.contacts;
  legend.hidden = !scale && !(mode === "contact" && contacts);
  if (scale) {
    const bar = element("div", { class: "bar" });
    bar.style.background = viridisStyle;
    const ends = element("div", { class: "ends" }, "0", element("span", { text: `\u2265 ${withUnit(scale.max, scale.unit)}` }));
    legend.replaceChildren(names[mode], bar, ends);
  } else if (mode === "contact" && contacts) {
    let sticking = 0;
    for (let i = 0; i < contacts.count; ++i) sticking += contacts.sticks[i];
    legend.replaceChildren("Contacts", key(stickColour, `stick: ${sticking}`), key(slideColour, `slide: ${contacts.count - sticking}`));
  }
}

/** How long an arrow is that stands for a force, and what its colour says. */
export function showForceLegend(box: HTMLElement, arrow: HTMLElement, theatre: Theatre): void {
  const force = theatre.look.arrows ? theatre.marks.forceOfPixels(arrowPixels) : null;
  box.hidden = force === null;
  if (force === null) return;
  const line = element("i", { class: "arrow" });
  line.style.width = `${arrowPixels}px`;
  arrow.replaceChildren(line, element("b", { text: withUnit(force, "N") }), key(stickColour, "sticks"), key(slideColour, "slides"));
}
