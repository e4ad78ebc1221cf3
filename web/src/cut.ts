import { Box3, DoubleSide, Material, Plane, Vector3 } from "three";
import { Look } from "./look";

/** A plane across an axis: what is beyond it is left out. */
export class Cut {
  private readonly plane = new Plane();
  private on = false;

  /** `box`: of the scene, whose sizes the place is given in. */
  set({ axis, at, flip }: Look["cut"], box: Box3): void {
    this.on = axis !== null;
    if (!axis) return;
    const a = "xyz".indexOf(axis);
    const place = box.min.getComponent(a) + at * (box.max.getComponent(a) - box.min.getComponent(a));
    const sign = flip ? 1 : -1;
    this.plane.set(new Vector3().setComponent(a, sign), -sign * place);
  }

  /** Shows both sides of what is cut. */
  apply(material: Material): void {
    if ((material.clippingPlanes !== null) === this.on) return;
    material.clippingPlanes = this.on ? [this.plane] : null;
    material.clipShadows = this.on;
    material.userData.uncut ??= material.side;
    material.side = this.on ? DoubleSide : material.userData.uncut;
    material.needsUpdate = true;
  }

  keeps(place: Vector3): boolean {
    return !this.on || this.plane.distanceToPoint(place) >= 0;
  }
}
