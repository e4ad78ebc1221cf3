import { Color, Group, Material, Vector3 } from "three";
import { Cloud } from "./cloud";
import { Replay } from "./replay";
import { Solid } from "./solid";
import { Stage } from "./stage";

export const ghostColour = "#b04a86";
const opacity = 0.34;

/** A second run over the first: what moves in it, pale and in one colour, at the same time. */
export class Ghost {
  private readonly solids = new Map<number, Solid>();
  private readonly clouds = new Map<number, Cloud>();
  private readonly group = new Group();
  private hidden = new Set<string>();
  private wanted = -1;
  /** Number of its frame that is drawn; -1: none yet. */
  shown = -1;

  constructor(
    readonly replay: Replay,
    private readonly stage: Stage,
  ) {
    replay.head.bodies.forEach((body, i) => {
      if (body.kind === "obstacle") return;
      const mesh = replay.meshes.get(i);
      if (body.coding === "cloud") {
        const cloud = new Cloud(new Color(ghostColour));
        cloud.setLight(stage.light as Vector3);
        this.clouds.set(i, cloud);
        this.group.add(cloud.mesh);
      } else if (mesh) {
        const solid = new Solid(mesh, new Color(ghostColour));
        this.solids.set(i, solid);
        this.group.add(solid.mesh);
      }
    });
    for (const solid of this.solids.values()) {
      // Where both runs agree the first one is seen.
      Object.assign(solid.mesh.material, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
    }
    stage.add(this.group);
  }

  /** Number of its frame that is nearest to a time. */
  frameAt(time: number): number {
    const { times } = this.replay.head;
    let best = 0;
    for (let i = 1; i < times.length; ++i) if (Math.abs(times[i] - time) < Math.abs(times[best] - time)) best = i;
    return best;
  }

  show(time: number, done: () => void): void {
    const number = this.frameAt(time);
    this.wanted = number;
    if (this.replay.frameCount === 0) return;
    void this.replay.frame(number).then((frame) => {
      if (this.wanted !== number) return;
      for (const [i, solid] of this.solids) solid.show(frame.bodies[i]);
      for (const [i, cloud] of this.clouds) cloud.show(frame.bodies[i].points, frame.bodies[i].radius, null);
      this.shown = number;
      this.applyOpacity();
      done();
    });
  }

  /** Bodies of these names are not drawn. */
  hide(names: Set<string>): void {
    this.hidden = names;
    this.applyOpacity();
  }

  /** Of all bodies, for a plane that cuts them. */
  materials(): Material[] {
    return [...this.solids.values(), ...this.clouds.values()].map(({ mesh }) => mesh.material);
  }

  private applyOpacity(): void {
    const { bodies } = this.replay.head;
    for (const [i, body] of [...this.solids, ...this.clouds]) body.setOpacity(this.hidden.has(bodies[i].name) ? 0 : opacity, false);
  }

  remove(): void {
    this.wanted = -1;
    this.stage.scene.remove(this.group);
  }
}
