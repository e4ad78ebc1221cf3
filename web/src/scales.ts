import { Replay } from "./replay";

/** Of the largest value of its kind: what is smaller is round-off, shown as 0. */
export const roundOff = 1e-9;

/** How large values of each unit are in a run. */
export class Scales {
  private readonly ofUnit = new Map<string, number>();

  /** `size` [m] of the scene. Bodies that rest from the start to the end are slow beside a fall through the scene. */
  constructor(replay: Replay, size: number) {
    const { tables, head } = replay;
    const fall = Math.sqrt(Math.hypot(...head.gravity) * size);
    const speed = Math.max(head.ranges.speed, fall, largest(tables.tracks.flatMap(({ v }) => v)));
    const force = Math.max(head.ranges.force, largest(tables.loads.flatMap(({ columns }) => ["fx", "fy", "fz"].map((name) => columns.get(name) ?? []))));
    this.ofUnit.set("m", size).set("m/s", speed).set("rad/s", speed / size).set("N", force).set("N m", force * size);
  }

  /** Below this a value of the unit is round-off; 0 where nothing is known of the unit. */
  least(unit: string): number {
    return roundOff * (this.ofUnit.get(unit) ?? 0);
  }
}

function largest(columns: ArrayLike<number>[]): number {
  let found = 0;
  for (const column of columns) for (let i = 0; i < column.length; ++i) if (Math.abs(column[i]) > found) found = Math.abs(column[i]);
  return found;
}
