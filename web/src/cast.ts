import { Color, Mesh, Raycaster, Vector3 } from "three";
import { Cloud } from "./cloud";
import { colourOfBody, obstacleColour } from "./colour";
import { grey } from "./painter";
import { Frame, numberOf, Replay, rowOf } from "./replay";
import { BodyHead } from "./source";
import { Solid } from "./solid";
import { Stage } from "./stage";
import { Visibility, wallsInTheWay } from "./visibility";

export interface Pick {
  body: number;
  /** Point of a cloud by its number, -1 for a body with a surface. */
  point: number;
}

/** Of a cloud, to find what hides it. */
const mostTargets = 48;
/** Of grains under their forces. */
const paleOpacity = 0.3;

/** All bodies on the stage: how solid each is drawn, where it is, and which a ray meets. */
export class Cast {
  readonly solids = new Map<number, Solid>();
  readonly clouds = new Map<number, Cloud>();
  /** Bodies without an end. They stay for picking; a ground is drawn in their place. */
  readonly planes = new Map<number, Solid>();
  readonly visibility: Visibility;
  private readonly bodies: BodyHead[];

  constructor({ head, meshes }: Replay, stage: Stage) {
    this.bodies = head.bodies;
    this.visibility = new Visibility(this.bodies.length);
    let number = 0;
    this.bodies.forEach((body, i) => {
      const colour = body.kind === "obstacle" ? new Color(obstacleColour) : colourOfBody(number++);
      const mesh = meshes.get(i);
      if (body.coding === "cloud") this.addCloud(i, new Cloud(colour), stage);
      else if (mesh) this.addSolid(i, new Solid(mesh, colour), stage);
    });
  }

  private addCloud(i: number, cloud: Cloud, stage: Stage): void {
    cloud.setLight(stage.light);
    this.clouds.set(i, cloud);
    stage.add(cloud.mesh);
  }

  private addSolid(i: number, solid: Solid, stage: Stage): void {
    this.solids.set(i, solid);
    stage.add(solid.mesh);
    if (!this.bodies[i].plane || !solid.corners) return;
    solid.mesh.material.visible = false;
    solid.mesh.castShadow = false;
    this.planes.set(i, solid);
  }

  moves(body: number): boolean {
    return this.bodies[body]?.kind !== "obstacle";
  }

  colourOf(body: number): string {
    const colour = this.solids.get(body)?.base ?? this.clouds.get(body)?.base ?? grey;
    return "#" + colour.getHexString();
  }

  /** Clouds are shown with their colours, by the painter. */
  show(frame: Frame): void {
    frame.bodies.forEach((body, i) => this.solids.get(i)?.show(body));
  }

  /** `paleGrains`: what is drawn over them is to be read. */
  applyVisibility(paleGrains: boolean): void {
    for (const [i, solid] of this.solids) solid.setOpacity(this.visibility.drawn(i), this.throwsShadow(i));
    for (const [i, cloud] of this.clouds) cloud.setOpacity(this.visibility.drawn(i) * (paleGrains ? paleOpacity : 1), this.throwsShadow(i));
  }

  throwsShadow(body: number): boolean {
    return this.visibility.opacity(body) > 0.5;
  }

  hiddenNames(): Set<string> {
    return new Set(this.bodies.filter((_, i) => this.visibility.opacity(i) === 0).map(({ name }) => name));
  }

  /** Finds the obstacles between the eye and what moves; true when they are others than before. */
  lookThrough(eye: Vector3, wanted: boolean): boolean {
    const walls = new Map<number, Mesh>();
    for (const [i, solid] of this.solids) if (!this.moves(i) && solid.mesh.visible) walls.set(i, solid.mesh);
    const inTheWay = wanted && walls.size > 0 ? wallsInTheWay(eye, this.targets(), walls) : new Set<number>();
    return this.visibility.setInTheWay(inTheWay);
  }

  /** Places of what moves: of each surface its middle, of a cloud some points. */
  private targets(): Vector3[] {
    const targets: Vector3[] = [];
    for (const [i, solid] of this.solids) {
      const centre = this.moves(i) && solid.mesh.visible ? solid.centre : null;
      if (centre) targets.push(centre);
    }
    for (const cloud of this.clouds.values()) {
      const count = cloud.mesh.visible ? (cloud.frame?.count ?? 0) : 0;
      const some = Math.min(count, mostTargets);
      for (let k = 0; k < some; ++k) targets.push(cloud.position(Math.floor((k * count) / some), new Vector3()));
    }
    return targets;
  }

  /** The nearest body that the ray meets where it is kept. */
  pick(caster: Raycaster, kept: (place: Vector3) => boolean): Pick | null {
    let best: (Pick & { distance: number }) | null = null;
    for (const [body, solid] of this.solids) {
      if (!solid.mesh.visible || !this.visibility.pickable(body)) continue;
      const hit = caster.intersectObject(solid.mesh, false).find((one) => kept(one.point));
      if (hit && (!best || hit.distance < best.distance)) best = { body, point: -1, distance: hit.distance };
    }
    const place = new Vector3();
    for (const [body, cloud] of this.clouds) {
      if (!this.visibility.pickable(body)) continue;
      const hit = cloud.pick(caster.ray.origin, caster.ray.direction, (i) => kept(cloud.position(i, place)));
      if (hit && (!best || hit.distance < best.distance)) best = { body, point: numberOf(cloud.frame!, hit.point), distance: hit.distance };
    }
    return best && { body: best.body, point: best.point };
  }

  /** Of the picked point among those of its cloud in this frame; -1: it is not there. */
  rowOfPick({ body, point }: Pick): number {
    const frame = this.clouds.get(body)?.frame;
    return frame && point >= 0 ? rowOf(frame, point) : -1;
  }

  /** Of a point of a cloud, in this frame. */
  placeOfRow(body: number, row: number): Vector3 | null {
    const cloud = this.clouds.get(body);
    return cloud?.frame && row >= 0 && row < cloud.frame.count ? cloud.position(row, new Vector3()) : null;
  }

  placeOfPick(pick: Pick): Vector3 | null {
    return this.placeOfRow(pick.body, this.rowOfPick(pick));
  }
}
