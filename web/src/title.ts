import { element } from "./format";
import { ghostColour } from "./ghost";
import { Head } from "./source";

/** Of both runs, where there are two: by their folders where the titles are the same. */
export function showTitle(title: HTMLElement, run: Head, other: Head | null): void {
  title.classList.toggle("two", other !== null);
  title.replaceChildren(run.title);
  if (other) {
    const same = other.title === run.title && run.folder && other.folder;
    const dot = element("span", { class: "dot square" });
    dot.style.background = ghostColour;
    title.replaceChildren(same ? run.folder! : run.title, ", over it ", dot, same ? `${other.folder}: ${run.title}` : other.title);
  }
  title.title = title.textContent!;
}
