/** How long an arrow is that stands for a force. */
export type ForceScale = "frame" | "run" | "root";

const longest = 2.5;

export interface ArrowLengths {
  scale: ForceScale;
  /** [N] drawn `length` long. */
  reference: number;
  /** [m] */
  length: number;
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

/** [N] of an arrow of this length [m]. */
export function forceOfLength(drawn: number, { scale, reference, length }: ArrowLengths): number {
  const part = drawn / length;
  return (scale === "root" ? part * part : part) * reference;
}
