import { ColourMode } from "./colour";
import { ForceScale } from "./force_scale";
import { byId } from "./format";
import { Axis, Look } from "./look";
import { howToRecord, Replay } from "./replay";

export interface ToolbarActions {
  seek(frame: number): void;
  speed(speed: number): void;
  colour(mode: ColourMode): void;
  cut(axis: Axis | null, flip: boolean): void;
  cutAt(at: number): void;
  forceScale(scale: ForceScale): void;
  arrowScale(scale: number): void;
  /** With the text of another page. */
  compare(page: string): Promise<void>;
  comparing(): boolean;
  endComparison(): void;
}

export interface Toolbar {
  slower(): void;
  faster(): void;
  nextColour(): void;
  nextCut(): void;
}

/** The lists, sliders and the file of the page; what its keys do with them. */
export function listenToToolbar(actions: ToolbarActions): Toolbar {
  const list = <T extends string>(id: string, act: (value: T) => void): HTMLSelectElement => {
    const found = byId<HTMLSelectElement>(id);
    found.addEventListener("change", () => act(found.value as T));
    return found;
  };
  const slide = (id: string, act: (value: number) => void) => {
    const found = byId<HTMLInputElement>(id);
    found.addEventListener("input", () => act(Number(found.value)));
  };
  const speed = list("speed", (value) => actions.speed(Number(value)));
  const colour = list<ColourMode>("colour", actions.colour);
  const cut = list("cut", (value) => actions.cut((value.replace("-", "") || null) as Axis | null, value.startsWith("-")));
  list<ForceScale>("force-scale", actions.forceScale);
  slide("slider", actions.seek);
  slide("cut-at", actions.cutAt);
  slide("arrow-length", (power) => actions.arrowScale(2 ** power));
  listenToFile(actions);
  cueScrolling(byId("tools"));
  byId("legend-button").addEventListener("click", () => byId("legend-button").setAttribute("aria-expanded", String(byId("corner").classList.toggle("open"))));
  const choose = (from: HTMLSelectElement, index: number) => {
    from.selectedIndex = index;
    from.dispatchEvent(new Event("change"));
  };
  const next = (from: HTMLSelectElement) => {
    let index = from.selectedIndex;
    do index = (index + 1) % from.length;
    while (from.options[index].disabled);
    choose(from, index);
  };
  return {
    slower: () => speed.selectedIndex > 0 && choose(speed, speed.selectedIndex - 1),
    faster: () => speed.selectedIndex < speed.length - 1 && choose(speed, speed.selectedIndex + 1),
    nextColour: () => next(colour),
    nextCut: () => next(cut),
  };
}

/** A page that is chosen, or dropped on this one, is compared with it. */
function listenToFile(actions: ToolbarActions): void {
  const input = byId<HTMLInputElement>("compare-file");
  const take = async (file: File | undefined) => file && actions.compare(await file.text());
  byId("compare-button").addEventListener("click", () => (actions.comparing() ? actions.endComparison() : input.click()));
  input.addEventListener("change", () => void take(input.files?.[0]).finally(() => (input.value = "")));
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  });
}

/** Marks at its ends that a bar goes on beyond them; a click on one, or the wheel, scrolls it. */
function cueScrolling(bar: HTMLElement): void {
  const scroll = (part: number) => bar.scrollBy({ left: part * bar.clientWidth, behavior: "smooth" });
  byId("more-left").addEventListener("click", () => scroll(-0.7));
  byId("more-right").addEventListener("click", () => scroll(0.7));
  bar.addEventListener("wheel", (event) => (bar.scrollLeft += event.deltaX || event.deltaY), { passive: true });
  const update = () => {
    bar.classList.toggle("more-left", bar.scrollLeft > 4);
    bar.classList.toggle("more-right", bar.scrollLeft + bar.clientWidth < bar.scrollWidth - 4);
  };
  bar.addEventListener("scroll", update);
  const observer = new ResizeObserver(update); // a group that unfolds makes the bar no larger, but what is in it
  for (const one of [bar, ...bar.children]) observer.observe(one);
}

/** What needs data that the run did not record says so and cannot be used. */
export function disableWithoutData(replay: Replay): void {
  const disable = (control: HTMLButtonElement | HTMLOptionElement, off: boolean, why: string) => {
    control.disabled = off;
    control.dataset.title ??= control.title;
    control.title = off ? why : control.dataset.title;
  };
  const contacts = `Contacts are ${howToRecord}`;
  for (const id of ["arrows", "chains", "cones"]) disable(byId<HTMLButtonElement>(id), !replay.hasContacts, contacts);
  for (const option of byId<HTMLSelectElement>("colour").options) {
    if (option.value === "stress") disable(option, !replay.hasStress, "No body of this run has stresses");
    if (option.value === "penetration" || option.value === "contact") disable(option, !replay.hasContacts, contacts);
  }
}

export interface Toggles {
  shadows: boolean;
  loop: boolean;
  picked: boolean;
  comparing: boolean;
}

/** Sets all controls to what is shown. */
export function showLook(look: Look, toggles: Toggles): void {
  const pressed = (id: string, on: boolean) => byId(id).setAttribute("aria-pressed", String(on));
  for (const name of ["arrows", "chains", "cones", "ground", "seeThrough", "path", "follow"] as const) pressed(name, look[name]);
  pressed("shadows", toggles.shadows);
  pressed("loop", toggles.loop);
  pressed("compare-button", toggles.comparing);
  byId("compare-button").title = toggles.comparing ? "End the comparison" : "Compare with another run: choose its view.html";
  byId("tracking").hidden = !toggles.picked;
  const set = (id: string, value: string) => (byId<HTMLInputElement | HTMLSelectElement>(id).value = value);
  set("colour", look.colour);
  set("force-scale", look.forceScale);
  set("arrow-length", String(Math.log2(look.arrowScale)));
  set("cut", look.cut.axis ? (look.cut.flip ? "-" : "") + look.cut.axis : "");
  set("cut-at", String(look.cut.at));
  byId("cut-at").hidden = look.cut.axis === null;
}
