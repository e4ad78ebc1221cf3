import { element } from "./format";
import { View } from "./stage";

export interface Actions {
  play(): void;
  back(): void;
  forward(): void;
  farBack(): void;
  farForward(): void;
  first(): void;
  last(): void;
  slower(): void;
  faster(): void;
  fit(): void;
  fitAll(): void;
  view(view: View): void;
  colour(): void;
  arrows(): void;
  chains(): void;
  cones(): void;
  seeThrough(): void;
  cut(): void;
  follow(): void;
  path(): void;
  hide(): void;
  showAll(): void;
  loop(): void;
  picture(): void;
  longer(): void;
  shorter(): void;
  shadows(): void;
  ground(): void;
  panel(): void;
  theme(): void;
  nothing(): void;
  help(): void;
}

type Key = [keys: string[], shown: string, meaning: string, act: (actions: Actions) => void];

const keys: Key[] = [
  [[" "], "Space", "play or pause", (a) => a.play()],
  [["ArrowLeft"], "\u2190", "previous frame", (a) => a.back()],
  [["ArrowRight"], "\u2192", "next frame", (a) => a.forward()],
  [["Shift+ArrowLeft", "PageDown"], "Shift \u2190", "ten frames back", (a) => a.farBack()],
  [["Shift+ArrowRight", "PageUp"], "Shift \u2192", "ten frames forward", (a) => a.farForward()],
  [["Home"], "Home", "first frame", (a) => a.first()],
  [["End"], "End", "last frame", (a) => a.last()],
  [["["], "[", "slower", (a) => a.slower()],
  [["]"], "]", "faster", (a) => a.faster()],
  [["f"], "F", "fit the scene or the selected body", (a) => a.fit()],
  [["e"], "E", "fit everything, what ran away too", (a) => a.fitAll()],
  [["1"], "1", "front", (a) => a.view("front")],
  [["2"], "2", "side", (a) => a.view("side")],
  [["3"], "3", "top", (a) => a.view("top")],
  [["4"], "4", "overview", (a) => a.view("overview")],
  [["b"], "B", "next colour mode", (a) => a.colour()],
  [["c"], "C", "contact forces", (a) => a.arrows()],
  [["n"], "N", "force chains", (a) => a.chains()],
  [["k"], "K", "friction cones", (a) => a.cones()],
  [["+", "="], "+", "longer arrows", (a) => a.longer()],
  [["-"], "\u2212", "shorter arrows", (a) => a.shorter()],
  [["h"], "H", "hide the selected body", (a) => a.hide()],
  [["a"], "A", "show all bodies", (a) => a.showAll()],
  [["x"], "X", "see through obstacles in the way", (a) => a.seeThrough()],
  [["v"], "V", "next cutting plane", (a) => a.cut()],
  [["o"], "O", "camera follows the selected body", (a) => a.follow()],
  [["t"], "T", "path of the selected body", (a) => a.path()],
  [["l"], "L", "loop", (a) => a.loop()],
  [["i"], "I", "save the picture", (a) => a.picture()],
  [["s"], "S", "shadows", (a) => a.shadows()],
  [["g"], "G", "ground", (a) => a.ground()],
  [["p"], "P", "panel", (a) => a.panel()],
  [["d"], "D", "light or dark theme", (a) => a.theme()],
  [["Escape"], "Esc", "clear selection", (a) => a.nothing()],
  [["?"], "?", "this list", (a) => a.help()],
];

export function listenToKeys(actions: Actions): void {
  // What was used with the mouse does not keep the keys: Space plays, whatever was clicked before.
  document.addEventListener("click", (event) => event.detail > 0 && (event.target as Element).closest("button")?.blur());
  document.addEventListener("change", (event) => event.target instanceof HTMLSelectElement && event.target.blur());
  document.addEventListener("pointerup", (event) => event.target instanceof HTMLInputElement && event.target.type === "range" && event.target.blur());
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.id !== "slider")) return;
    if (target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
    const name = (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const found = keys.find(([names]) => names.includes(name));
    if (!found) return;
    event.preventDefault();
    found[3](actions);
  });
}

export function showHelp(dialog: HTMLElement, notes: string[]): void {
  const list = element("dl");
  for (const [, shown, meaning] of keys) list.append(element("dt", {}, element("kbd", { text: shown })), element("dd", { text: meaning }));
  const mouse = "Drag to rotate, right or two-finger drag to pan, wheel or pinch to zoom, click to select, double-click to zoom in.";
  const close = element("button", { text: "Close" });
  close.addEventListener("click", () => (dialog as HTMLDialogElement).close());
  dialog.replaceChildren(...notes.map((text) => element("p", { text })), element("p", { text: mouse }), list, close);
  (dialog as HTMLDialogElement).showModal();
  dialog.scrollTop = 0; // it begins at the button that has the focus
}
