import { Mesh, Raycaster, Vector3 } from "three";

/** Of what stands between the eye and what moves. */
const fadedOpacity = 0.17;
/** A body is in the way when it hides this part of what moves. */
const hiddenPart = 0.12;
const mostTests = 1e6;

/** How solid each body is drawn: as the user wants, and hardly where it is in the way. */
export class Visibility {
  private readonly wanted: number[];
  private inTheWay: ReadonlySet<number> = new Set();

  constructor(count: number) {
    this.wanted = new Array<number>(count).fill(1);
  }

  /** What the user wants: 0 hidden, 1 solid. */
  opacity(body: number): number {
    return this.wanted[body];
  }

  setOpacity(bodies: number[], opacity: number): void {
    for (const body of bodies) this.wanted[body] = opacity;
  }

  drawn(body: number): number {
    return this.inTheWay.has(body) ? Math.min(this.wanted[body], fadedOpacity) : this.wanted[body];
  }

  /** What can hardly be seen is not in the way of a click either. */
  pickable(body: number): boolean {
    return this.drawn(body) > 0.3;
  }

  get faded(): number[] {
    return [...this.inTheWay].sort((a, b) => a - b);
  }

  /** True when this changes anything. */
  setInTheWay(bodies: ReadonlySet<number>): boolean {
    const same = bodies.size === this.inTheWay.size && [...bodies].every((body) => this.inTheWay.has(body));
    this.inTheWay = bodies;
    return !same;
  }
}

/** Which of the walls hide a good part of the targets from the eye. */
export function wallsInTheWay(eye: Vector3, targets: Vector3[], walls: Map<number, Mesh>): Set<number> {
  const found = new Set<number>();
  let triangles = 1;
  for (const wall of walls.values()) triangles += (wall.geometry.index?.count ?? 0) / 3;
  const most = Math.min(Math.max(Math.floor(mostTests / triangles), 4), 48);
  const some = targets.length <= most ? targets : Array.from({ length: most }, (_, i) => targets[Math.floor(((i + 0.5) * targets.length) / most)]);
  const caster = new Raycaster();
  const ways = some.map((target) => ({ towards: target.clone().sub(eye).normalize(), far: target.distanceTo(eye) }));
  for (const [body, wall] of walls) {
    let hidden = 0;
    for (const { towards, far } of ways) {
      caster.set(eye, towards);
      caster.far = 0.999 * far;
      if (caster.intersectObject(wall, false).length > 0) ++hidden;
    }
    if (hidden > 0 && hidden >= hiddenPart * some.length) found.add(body);
  }
  return found;
}
