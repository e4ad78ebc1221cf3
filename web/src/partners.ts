import { familyOf } from "./bodies";
import { Head } from "./source";

const mostNames = 6;

/** Bodies that the other run has none of by that name; copies by their family. */
function missingIn(other: Head, run: Head): string[] {
  const names = new Set(other.bodies.map(({ name }) => name));
  const families = new Set(other.bodies.map(({ name }) => familyOf(name)));
  const shortened = (name: string) => (families.has(familyOf(name)) ? name : (familyOf(name) ?? name));
  const missing = run.bodies.filter(({ name }) => !names.has(name)).map(({ name }) => shortened(name));
  return [...new Set(missing)];
}

function sentence(run: Head, names: string[]): string[] {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return names.length > 0 ? [`Only in ${run.folder || run.title}: ${names.slice(0, mostNames).join(", ")}${more}. There is nothing to compare with.`] : [];
}

/** Which bodies of two runs have no partner, in words. */
export function partnerNotes(run: Head, other: Head | null): string[] {
  return other ? [...sentence(run, missingIn(other, run)), ...sentence(other, missingIn(run, other))] : [];
}

/** The badge: that some bodies stand alone. */
export function showPartners(badge: HTMLElement, run: Head, other: Head | null): void {
  const notes = partnerNotes(run, other);
  const count = other ? missingIn(other, run).length + missingIn(run, other).length : 0;
  badge.hidden = count === 0;
  badge.textContent = count === 1 ? "1 body without partner" : `${count} bodies without partner`;
  badge.title = notes.join("\n");
}
