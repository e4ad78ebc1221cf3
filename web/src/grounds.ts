import { Box3, MeshDepthMaterial, Object3D, Vector3 } from "three";
import { Cast } from "./cast";
import { ContactShadow, darknessMaterial } from "./contact_shadow";
import { boxOf } from "./extent";
import { Ground, roundLength } from "./ground";
import { Replay } from "./replay";
import { Stage } from "./stage";

/** A ground in the place of each plane or, without one, under everything; and the contact shadow on the flattest. */
export class Grounds {
  /** [m] between lines. */
  readonly spacing: number;
  /** Draws bodies for the shadow. */
  readonly darkness = darknessMaterial();
  private readonly ofPlanes = new Map<number, Ground>();
  private readonly added: Ground | null;
  private readonly shadow: ContactShadow;

  /** `box`: of what there is to see. */
  constructor(
    replay: Replay,
    private readonly cast: Cast,
    private readonly stage: Stage,
    box: Box3,
  ) {
    const size = box.getSize(new Vector3()).length();
    this.shadow = new ContactShadow(stage.renderer);
    this.spacing = roundLength(size / 10);
    for (const [i, solid] of cast.planes) {
      const ground = new Ground(solid.corners!, this.spacing, box.getCenter(new Vector3()), 1.8 * size, this.shadow.uniforms);
      solid.mesh.add(ground.mesh);
      this.ofPlanes.set(i, ground);
    }
    this.added = cast.planes.size === 0 ? this.groundUnder(replay, size, box) : null;
  }

  setColours(surface: string, grid: string): void {
    for (const ground of this.all()) ground.setColours(surface, grid);
  }

  /** `added`: whether the ground that is no body of the run is drawn. */
  show(added: boolean): void {
    if (this.added) this.added.mesh.visible = added;
    for (const [i, ground] of this.ofPlanes) {
      ground.opacity = this.cast.visibility.drawn(i);
      ground.spread();
    }
  }

  /** Darkens the flattest ground that is shown under bodies that touch it or nearly do. */
  showContactShadow(box: Box3): void {
    const flattest = this.flattest();
    for (const ground of this.all()) ground.shaded = ground === flattest;
    if (!flattest) return;
    const { normal, origin } = flattest;
    const centre = box.getCenter(new Vector3());
    centre.addScaledVector(normal, -normal.dot(centre.clone().sub(origin)));
    this.shadow.place(centre, normal, box.getSize(new Vector3()).length());
    this.shadow.show(this.stage.scene, this.shadowCasters());
  }

  /** 0..1 of the contact shadow; 0: none is drawn. */
  darkestUnder(): number {
    return this.all().some((ground) => ground.shaded) ? this.shadow.darkest() : 0;
  }

  private all(): Ground[] {
    return this.added ? [this.added] : [...this.ofPlanes.values()];
  }

  private flattest(): Ground | null {
    let best: Ground | null = null;
    const slope = (ground: Ground) => ground.normal.dot(this.stage.up);
    for (const ground of this.all()) {
      const shown = ground.mesh.visible && (ground.mesh.parent as Object3D).visible;
      if (this.stage.shadows && shown && slope(ground) > (best ? slope(best) : 0.3)) best = ground;
    }
    return best;
  }

  private shadowCasters(): Map<Object3D, MeshDepthMaterial> {
    const { solids, clouds, planes } = this.cast;
    const bodies = new Map<Object3D, MeshDepthMaterial>();
    for (const [i, { mesh }] of solids) if (!planes.has(i) && mesh.visible && this.cast.throwsShadow(i)) bodies.set(mesh, this.darkness);
    for (const [i, { mesh, darkness }] of clouds) if (mesh.visible && this.cast.throwsShadow(i)) bodies.set(mesh, darkness);
    return bodies;
  }

  private groundUnder({ head }: Replay, size: number, box: Box3): Ground {
    const all = box.clone();
    for (const body of head.bodies) {
      const own = body.coding === "cloud" ? null : boxOf(body);
      if (own && body.kind === "obstacle") all.union(own);
    }
    const { up, right, front } = this.stage;
    const lowest = Math.min(all.min.dot(up), all.max.dot(up));
    const centre = box.getCenter(new Vector3());
    centre.addScaledVector(up, lowest - centre.dot(up) - 0.002 * size);
    const corner = (a: number, b: number) => centre.clone().addScaledVector(right, a * size).addScaledVector(front, b * size);
    const ground = new Ground([corner(-1, 1), corner(1, 1), corner(1, -1)], this.spacing, centre, 1.6 * size, this.shadow.uniforms);
    this.stage.add(ground.mesh);
    return ground;
  }
}
