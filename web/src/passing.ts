import { withUnit } from "./format";
import { Head } from "./source";

/** Two bodies that pass through each other, as the run's summary tells. */
interface PassingPair {
  bodies: [string, string];
  overlap: number;
  contact_depth: number;
  time: number;
}

export function passingPairs(head: Head): PassingPair[] {
  const listed = head.summary?.passing;
  return Array.isArray(listed) ? (listed as PassingPair[]) : [];
}

function inWords({ bodies, overlap, contact_depth, time }: PassingPair): string {
  const names = bodies[0] === bodies[1] ? `${bodies[0]} passes through itself` : `${bodies[0]} and ${bodies[1]} pass through each other`;
  const contact = contact_depth > 0 ? `where their deepest contact is ${withUnit(contact_depth, "m")} deep` : "where they have no contact";
  return `${names}: they overlap by ${withUnit(overlap, "m")} at ${withUnit(time, "s")}, ${contact}.`;
}

export function passingNotes(head: Head): string[] {
  const most = 20;
  const pairs = passingPairs(head);
  const more = pairs.length > most ? [`${pairs.length - most} more pairs pass through each other.`] : [];
  return [...pairs.slice(0, most).map(inWords), ...more];
}

/** The badge: how many pairs there are, and in words which. */
export function showPassing(badge: HTMLElement, head: Head): void {
  const count = passingPairs(head).length;
  badge.hidden = count === 0;
  badge.textContent = count === 1 ? "1 pair passes through" : `${count} pairs pass through`;
  badge.title = `${passingNotes(head).join("\n")}\nShow the worst moment`;
}

/** When the deepest overlap was [s]. */
export function worstMoment(head: Head): number {
  return passingPairs(head).reduce((worst, pair) => (pair.overlap > worst.overlap ? pair : worst)).time;
}
