import { element } from "./format";
import { BodyHead } from "./source";

const kindNames: Record<string, string> = { unknown: "", deformable: "deformable", obstacle: "obstacle", rigid: "rigid", spheres: "spheres", mpm: "particles" };
/** With more entries than this there is a field to search in. */
const manyEntries = 8;
const eye = "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5z M10 7.8a2.2 2.2 0 1 0 0 4.4a2.2 2.2 0 0 0 0-4.4z";
const closedEye = "M3 8.5s2.6 4 7 4 7-4 7-4 M6 12l-1.2 2 M10 12.7v2.3 M14 12l1.2 2";

export interface BodyActions {
  colourOf(body: number): string;
  opacity(body: number): number;
  setOpacity(bodies: number[], opacity: number): void;
  pick(body: number | null): void;
}

interface Entry {
  row: HTMLLIElement;
  bodies: number[];
  eye: HTMLButtonElement;
  slider: HTMLInputElement | null;
  /** Of a copy: the row of its family. */
  family: Family | null;
}

class Family {
  open = false;
  constructor(readonly name: string) {}
}

/** The name of the family that a copy belongs to: of `brick[3]` it is `brick`. */
export function familyOf(name: string): string | null {
  return /^(.+)\[\d+\]$/.exec(name)?.[1] ?? null;
}

/** The list of bodies: copies folded into families, each row with an eye that hides it; a search where there are many. */
export class BodyList {
  private readonly entries: Entry[] = [];
  private readonly families = new Map<string, Family>();
  private readonly search = element("input", { class: "search" });
  private picked = -1;

  constructor(
    private readonly place: HTMLElement,
    private readonly bodies: BodyHead[],
    private readonly actions: BodyActions,
  ) {
    place.setAttribute("role", "listbox");
    const members = new Map<string, number[]>();
    bodies.forEach(({ name }, i) => {
      const family = familyOf(name);
      if (family) members.set(family, [...(members.get(family) ?? []), i]);
    });
    bodies.forEach((body, i) => {
      const name = familyOf(body.name);
      const all = name ? members.get(name)! : [];
      if (all.length < 2) return this.addBody(i, null);
      if (all[0] === i) this.addFamily(name!, all);
      this.addBody(i, this.families.get(name!)!);
    });
    this.search.type = "search";
    this.search.placeholder = "Search bodies";
    this.search.setAttribute("aria-label", "Search bodies");
    this.search.hidden = this.entries.length <= manyEntries;
    this.search.addEventListener("input", () => this.showRows());
    place.before(this.search);
    this.showRows();
    this.showState();
  }

  /** Which one is selected; -1: none. */
  setPicked(body: number): void {
    if (body === this.picked) return;
    this.picked = body;
    const family = this.entries.find((entry) => !entry.slider && entry.bodies[0] === body)?.family;
    if (family) family.open = true;
    this.showRows();
    this.showState();
  }

  /** After a change of opacities. */
  showState(): void {
    for (const { row, bodies, eye: button, slider } of this.entries) {
      const opacity = Math.max(...bodies.map((body) => this.actions.opacity(body)));
      row.classList.toggle("hidden-body", opacity === 0);
      row.setAttribute("aria-selected", String(!slider && bodies[0] === this.picked));
      button.setAttribute("aria-pressed", String(opacity > 0));
      button.querySelector("path")!.setAttribute("d", opacity > 0 ? eye : closedEye);
      if (slider) slider.value = String(opacity);
    }
  }

  private addFamily(name: string, members: number[]): void {
    const family = new Family(name);
    this.families.set(name, family);
    const slider = opacitySlider(`Opacity of all ${name}`, (opacity) => this.actions.setOpacity(members, opacity));
    const { row, eye: button } = this.makeRow(members, name, `${members.length} \u00d7 ${kindNames[this.bodies[members[0]].kind] ?? ""}`);
    row.classList.add("family");
    row.prepend(element("span", { class: "fold" }));
    row.append(slider);
    this.listen(row, () => {
      family.open = !family.open;
      this.showRows();
    });
    this.entries.push({ row, bodies: members, eye: button, slider, family });
  }

  private addBody(i: number, family: Family | null): void {
    const { name, kind } = this.bodies[i];
    const { row, eye: button } = this.makeRow([i], name, kindNames[kind] ?? "");
    if (family) row.classList.add("member");
    this.listen(row, () => this.actions.pick(this.picked === i ? null : i));
    this.entries.push({ row, bodies: [i], eye: button, slider: null, family });
  }

  private makeRow(bodies: number[], name: string, kind: string): { row: HTMLLIElement; eye: HTMLButtonElement } {
    const swatch = element("span", { class: "dot square" });
    swatch.style.background = this.actions.colourOf(bodies[0]);
    const button = element("button", { class: "icon eye" });
    button.title = "Show or hide";
    button.setAttribute("aria-label", `Show ${name}`);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    button.append(svg);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      const hidden = bodies.every((body) => this.actions.opacity(body) === 0);
      this.actions.setOpacity(bodies, hidden ? 1 : 0);
    });
    const row = element("li", {}, swatch, element("span", { class: "name", text: name }), element("span", { class: "kind", text: kind }), button);
    row.title = name;
    row.tabIndex = 0;
    row.setAttribute("role", "option");
    this.place.append(row);
    return { row, eye: button };
  }

  private listen(row: HTMLElement, act: () => void): void {
    row.addEventListener("click", (event) => !(event.target instanceof HTMLInputElement) && act());
    row.addEventListener("keydown", (event) => event.key === "Enter" && event.target === row && act());
  }

  private showRows(): void {
    const words = this.search.value.trim().toLowerCase();
    for (const { row, bodies, slider, family } of this.entries) {
      const name = slider ? family!.name : this.bodies[bodies[0]].name;
      const found = name.toLowerCase().includes(words);
      row.hidden = words ? !found : !slider && family !== null && !family.open;
      if (slider) row.classList.toggle("open", family!.open || words !== "");
    }
  }
}

export function opacitySlider(label: string, set: (opacity: number) => void): HTMLInputElement {
  const slider = element("input", { class: "opacity" });
  Object.assign(slider, { type: "range", min: "0", max: "1", step: "0.05", value: "1", title: label });
  slider.setAttribute("aria-label", label);
  slider.addEventListener("input", () => set(Number(slider.value)));
  return slider;
}
