/** How long an arrow is that stands for a force. */
export type ForceScale = "frame" | "run" | "root";

const longest = 2.5;

export interface ArrowLengths {
  scale: ForceScale;
  /** [N] drawn `length` long. */
  reference: number;
  /** [m] */
  length: number;
  /** [N] of all that are drawn. */
  largest: number;
}

/** The force that is drawn at full length: nearly the largest of the frame, or what nine frames of ten stay below. */
export function referenceForce(scale: ForceScale, sizes: number[], usualOfRun: number): number {
  if (scale !== "frame") return usualOfRun || 1;
  const sorted = sizes.filter((size) => size > 0).sort((a, b) => a - b);
  return sorted.length > 0 ? sorted[Math.floor(0.95 * (sorted.length - 1))] : usualOfRun || 1;
}

/** [m] */
export function arrowLength(force: number, { scale, reference, length }: ArrowLengths): number {
  const part = force / reference;
  return Math.min(scale === "root" ? Math.sqrt(part) : part, longest) * length;
}

/** The largest of 1, 2, 5, 10, ... [N] whose arrow is no longer than this [m]. */
export function roundForceWithin(drawn: number, lengths: ArrowLengths): number {
  const most = forceOfLength(Math.min(drawn, longest * lengths.length), lengths);
  const power = 10 ** Math.floor(Math.log10(most));
  return power * [5, 2, 1].find((digit) => digit * power <= most * (1 + 1e-9))!;
}

/** [N] from which arrows grow no longer; null where all are below. */
export function cutForce(lengths: ArrowLengths): number | null {
  const cut = forceOfLength(longest * lengths.length, lengths);
  return lengths.largest > cut * (1 + 1e-9) ? cut : null;
}

/** [N] of an arrow of this length [m]. */
function forceOfLength(drawn: number, { scale, reference, length }: ArrowLengths): number {
  const part = drawn / length;
  return (scale === "root" ? part * part : part) * reference;
}
