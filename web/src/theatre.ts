import { Box3, Color, DoubleSide, Material, Mesh, MeshBasicMaterial, MeshDepthMaterial, Object3D, Plane, SphereGeometry, Vector3 } from "three";
import { Cloud } from "./cloud";
import { ColourMode, colourOfBody, obstacleColour } from "./colour";
import { ContactShadow, darknessMaterial } from "./contact_shadow";
import { boxOf, contentBox } from "./extent";
import { ArrowLengths, ForceScale, forceOfLength, referenceForce } from "./force_scale";
import { Ghost } from "./ghost";
import { Ground, roundLength } from "./ground";
import { Marks } from "./marks";
import { grey, Motion, Painter } from "./painter";
import { Path } from "./path";
import { trackOfPoint } from "./point_track";
import { Contacts, Frame, Replay, Track } from "./replay";
import { cutMaterial, Solid } from "./solid";
import { BodyHead } from "./source";
import { Stage, View } from "./stage";
import { Visibility, wallsInTheWay } from "./visibility";

export type Axis = "x" | "y" | "z";

export interface Look {
  colour: ColourMode;
  arrows: boolean;
  chains: boolean;
  cones: boolean;
  ground: boolean;
  /** Walls between the eye and what moves turn transparent. */
  seeThrough: boolean;
  path: boolean;
  /** The camera goes with the selected body. */
  follow: boolean;
  /** Length of arrows and cones; 1 is usual. */
  arrowScale: number;
  forceScale: ForceScale;
  /** Half of the space is left out: beyond a place along an axis, 0..1 of the scene. */
  cut: { axis: Axis | null; at: number; flip: boolean };
}

export const usualLook = (): Look => ({
  colour: "body",
  arrows: true,
  chains: false,
  cones: false,
  ground: true,
  seeThrough: true,
  path: true,
  follow: false,
  arrowScale: 1,
  forceScale: "frame",
  cut: { axis: null, at: 0.5, flip: false },
});

export interface Pick {
  body: number;
  /** Point of a cloud, -1 for a body with a surface. */
  point: number;
}

export interface Theme {
  background: string;
  ground: string;
  grid: string;
  path: string;
}

/** Shows frames: bodies in their colours, contacts, ground. */
export class Theatre {
  readonly stage: Stage;
  readonly solids = new Map<number, Solid>();
  readonly clouds = new Map<number, Cloud>();
  readonly visibility: Visibility;
  readonly painter: Painter;
  readonly grid: number;
  frame: Frame | null = null;
  picked: Pick | null = null;
  ghost: Ghost | null = null;
  /** Where the selected sphere or particle is over the run, as soon as it is known. */
  pointTrack: Track | null = null;
  private readonly marks = new Marks(4096);
  private readonly contactShadow: ContactShadow;
  private readonly darkness = darknessMaterial();
  private readonly path = new Path();
  private readonly grounds = new Map<number, Ground>();
  private readonly addedGround: Ground | null = null;
  private readonly plane = new Plane();
  private box: Box3;
  private size: number;
  private readonly spot: Mesh;
  /** Where the followed body was. */
  private followed: Vector3 | null = null;

  constructor(
    container: HTMLElement,
    private readonly replay: Replay,
    readonly look: Look,
  ) {
    const { head } = replay;
    this.stage = new Stage(container, new Vector3(...head.gravity));
    this.contactShadow = new ContactShadow(this.stage.renderer);
    this.visibility = new Visibility(head.bodies.length);
    this.painter = new Painter(replay);
    this.box = contentBox(head.bodies, replay.meshes, replay.tables);
    this.size = this.box.getSize(new Vector3()).length();
    this.grid = roundLength(this.size / 10);
    let number = 0;
    head.bodies.forEach((body, i) => {
      const colour = body.kind === "obstacle" ? new Color(obstacleColour) : colourOfBody(number++);
      this.addBody(i, body, colour);
    });
    if (this.grounds.size === 0) this.addedGround = this.makeGround();
    this.spot = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45, side: DoubleSide }));
    this.spot.visible = false;
    this.stage.add(this.marks.chains, this.marks.arrows, this.marks.cones, this.marks.dots, this.path.line, this.spot);
    this.stage.lightUp(this.box);
    this.fit("overview");
    this.stage.onView = () => this.viewChanged();
  }

  /** Called when the picture is seen from another place. */
  onView: () => void = () => {};
  /** Called when the track of the selected sphere is known. */
  onTrack: () => void = () => {};

  colourOf(body: number): string {
    const colour = this.solids.get(body)?.base ?? this.clouds.get(body)?.base ?? grey;
    return "#" + colour.getHexString();
  }

  fit(view?: View): void {
    this.stage.fit(this.box, view);
  }

  /** What has no end is no larger than the scene. */
  fitPicked(): void {
    if (!this.picked || !this.frame || this.replay.head.bodies[this.picked.body].plane) return this.fit();
    const solid = this.solids.get(this.picked.body);
    const box = new Box3();
    if (solid) box.setFromObject(solid.mesh);
    else if (this.spot.visible) box.setFromObject(this.spot).expandByScalar(4 * this.spot.scale.x);
    if (!box.isEmpty()) this.stage.fit(box.expandByScalar(0.35 * box.getSize(new Vector3()).length()));
  }

  /** For a run that goes on, or a second one: bodies may be where the picture does not reach. */
  grow(): void {
    const box = contentBox(this.replay.head.bodies, this.replay.meshes, this.replay.tables);
    const other = this.ghost?.replay;
    if (other) box.union(contentBox(other.head.bodies, other.meshes, other.tables));
    if (this.box.containsBox(box)) return;
    this.box = box;
    this.size = box.getSize(new Vector3()).length();
    this.stage.lightUp(box);
    if (!this.stage.moved) this.fit("overview");
  }

  setTheme(theme: Theme): void {
    this.stage.setBackground(theme.background);
    for (const ground of this.allGrounds()) ground.setColours(theme.ground, theme.grid);
    this.path.setColours(theme.path, theme.background);
    this.showPath();
  }

  show(frame: Frame): void {
    this.frame = this.painter.frame = frame;
    frame.bodies.forEach((body, i) => this.solids.get(i)?.show(body));
    this.ghost?.show(frame.time, () => this.stage.invalidate());
    this.followPicked();
    this.update();
  }

  setPick(pick: Pick | null): void {
    this.picked = pick;
    this.pointTrack = null;
    this.followed = null;
    this.followPicked();
    this.update();
    void this.findTrack();
  }

  /** After new frames too. */
  async findTrack(): Promise<void> {
    const { picked, frame } = this;
    if (!picked || picked.point < 0 || !frame) return;
    const track = await trackOfPoint(this.replay, picked.body, picked.point, frame.number);
    if (this.picked !== picked) return; // another one was selected meanwhile
    this.pointTrack = track;
    this.showPath();
    this.stage.invalidate();
    this.onTrack();
  }

  /** A second run to compare with, drawn pale over the first; null: none. */
  setGhost(replay: Replay | null): void {
    this.ghost?.remove();
    this.ghost = replay && new Ghost(replay, this.stage);
    if (this.frame) this.ghost?.show(this.frame.time, () => this.stage.invalidate());
    this.update();
    this.grow();
  }

  /** After a change of look, pick or frame. */
  update(): void {
    if (!this.frame) return;
    this.painter.mode = this.look.colour;
    for (const [i, solid] of this.solids) this.painter.paint(i, solid, this.picked?.body === i);
    for (const [i, cloud] of this.clouds) this.painter.paintCloud(i, cloud);
    this.lookThrough();
    this.applyVisibility();
    this.applyCut();
    this.showSpot();
    this.showMarks();
    this.showPath();
    if (this.addedGround) this.addedGround.mesh.visible = this.look.ground;
    this.showContactShadow();
    this.followed = this.look.follow ? (this.followed ?? this.placeOfPicked()) : null;
    this.stage.invalidate();
  }

  pickAt(x: number, y: number): Pick | null {
    const caster = this.stage.ray(x, y);
    const kept = (place: Vector3) => this.keptByCut(place);
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
      if (hit && (!best || hit.distance < best.distance)) best = { body, point: hit.point, distance: hit.distance };
    }
    return best && { body: best.body, point: best.point };
  }

  motionOf(i: number): Motion | null {
    return this.painter.motionOf(i);
  }

  /** How arrows stand for forces now; null where none is drawn. */
  forceLengths(): ArrowLengths | null {
    const contacts = this.frame?.contacts;
    if (!contacts || contacts.count === 0) return null;
    const wanted = this.wanted(contacts);
    const sizes: number[] = [];
    for (let i = 0; i < contacts.count; ++i)
      if (wanted(i)) sizes.push(Math.hypot(contacts.force[3 * i], contacts.force[3 * i + 1], contacts.force[3 * i + 2]));
    const scale = this.look.forceScale;
    return { scale, reference: referenceForce(scale, sizes, this.replay.head.ranges.force), length: this.markLength() * this.look.arrowScale };
  }

  /** [N] that an arrow of so many pixels stands for, in the middle of the picture. */
  forceOfPixels(pixels: number): number | null {
    const lengths = this.forceLengths();
    return lengths && forceOfLength(pixels * this.stage.pixelAt(this.stage.controls.target), lengths);
  }

  /** [pixels] of all arrows that are drawn; 0: none. */
  shortestArrow(): number {
    return this.marks.arrows.visible ? this.marks.shortest : 0;
  }

  private addBody(i: number, body: BodyHead, colour: Color): void {
    if (body.coding === "cloud") {
      const cloud = new Cloud(colour);
      cloud.setLight(this.stage.light);
      this.clouds.set(i, cloud);
      this.stage.add(cloud.mesh);
      return;
    }
    const data = this.replay.meshes.get(i);
    if (!data) return;
    const solid = new Solid(data, colour);
    this.solids.set(i, solid);
    const corners = body.plane ? solid.corners : null;
    if (corners) {
      // A ground with a grid, large enough to fade out, in its place; the body itself stays for picking, not drawn.
      const reach = corners[0].distanceTo(corners[2]) / 2;
      for (const corner of corners) corner.multiplyScalar(Math.max(1, (6 * this.size) / reach));
      const ground = new Ground(corners, this.grid, this.box.getCenter(new Vector3()), 1.8 * this.size, this.contactShadow.uniforms);
      solid.mesh.add(ground.mesh);
      solid.mesh.material.visible = false;
      solid.mesh.material.side = DoubleSide; // it is in the way from below too
      solid.mesh.castShadow = false;
      this.grounds.set(i, ground);
    }
    this.stage.add(solid.mesh);
  }

  /** Under everything, when the scene has no plane of its own. */
  private makeGround(): Ground {
    const all = this.box.clone();
    for (const body of this.replay.head.bodies) {
      const box = body.coding === "cloud" ? null : boxOf(body);
      if (box && body.kind === "obstacle") all.union(box);
    }
    const { up, right, front } = this.stage;
    const lowest = Math.min(all.min.dot(up), all.max.dot(up));
    const centre = this.box.getCenter(new Vector3());
    centre.addScaledVector(up, lowest - centre.dot(up) - 0.002 * this.size);
    const reach = 2 * this.size;
    const corner = (a: number, b: number) =>
      centre.clone().addScaledVector(right, a * reach).addScaledVector(front, b * reach);
    const ground = new Ground([corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)], this.grid, centre, 1.6 * this.size, this.contactShadow.uniforms);
    this.stage.add(ground.mesh);
    return ground;
  }

  private allGrounds(): Ground[] {
    return this.addedGround ? [...this.grounds.values(), this.addedGround] : [...this.grounds.values()];
  }

  private viewChanged(): void {
    if (this.frame) {
      if (this.lookThrough()) this.applyVisibility();
      this.showMarks();
    }
    this.onView();
  }

  /** Finds the walls in the way; true when others are than before. */
  private lookThrough(): boolean {
    const walls = new Map<number, Mesh>();
    for (const [i, solid] of this.solids)
      if (this.replay.head.bodies[i].kind === "obstacle" && solid.mesh.visible) walls.set(i, solid.mesh);
    if (!this.look.seeThrough || walls.size === 0) return this.visibility.setInTheWay(new Set());
    const targets: Vector3[] = [];
    for (const [i, solid] of this.solids) {
      const sphere = solid.mesh.geometry.boundingSphere;
      if (this.replay.head.bodies[i].kind !== "obstacle" && solid.mesh.visible && sphere)
        targets.push(sphere.center.clone().applyMatrix4(solid.mesh.matrixWorld));
    }
    for (const cloud of this.clouds.values()) {
      const count = cloud.mesh.visible ? (cloud.frame?.count ?? 0) : 0;
      for (let k = 0; k < Math.min(count, 48); ++k) targets.push(cloud.position(Math.floor((k * count) / Math.min(count, 48)), new Vector3()));
    }
    return this.visibility.setInTheWay(wallsInTheWay(this.stage.camera.position, targets, walls));
  }

  private applyVisibility(): void {
    for (const [i, solid] of this.solids) {
      const opacity = this.visibility.drawn(i);
      solid.setOpacity(opacity, this.visibility.opacity(i) > 0.5);
      const ground = this.grounds.get(i);
      if (ground) ground.opacity = opacity;
    }
    for (const [i, cloud] of this.clouds) cloud.setOpacity(this.visibility.drawn(i), this.visibility.opacity(i) > 0.5);
    const hidden = this.replay.head.bodies.filter((_, i) => this.visibility.opacity(i) === 0).map(({ name }) => name);
    this.ghost?.hide(new Set(hidden));
  }

  private applyCut(): void {
    const { axis, at, flip } = this.look.cut;
    if (axis) {
      const a = "xyz".indexOf(axis);
      const place = this.box.min.getComponent(a) + at * (this.box.max.getComponent(a) - this.box.min.getComponent(a));
      const sign = flip ? 1 : -1;
      this.plane.set(new Vector3().setComponent(a, sign), -sign * place);
    }
    const cut = (material: Material) => {
      if ((material.clippingPlanes !== null) !== (axis !== null)) cutMaterial(material, axis ? this.plane : null);
    };
    for (const [i, solid] of this.solids) if (!this.grounds.has(i)) cut(solid.mesh.material);
    for (const cloud of this.clouds.values()) [cloud.mesh.material, cloud.darkness].forEach(cut);
    cut(this.darkness);
    this.ghost?.materials().forEach(cut);
    for (const marks of [this.marks.arrows, this.marks.chains]) cut(marks.material as Material);
  }

  private keptByCut(place: Vector3): boolean {
    return !this.look.cut.axis || this.plane.distanceToPoint(place) >= 0;
  }

  /** Of what is selected, in this frame. */
  private placeOfPicked(): Vector3 | null {
    if (!this.picked || !this.frame) return null;
    const { body, point } = this.picked;
    const cloud = this.clouds.get(body);
    if (cloud && point >= 0) return cloud.frame && point < cloud.frame.count ? cloud.position(point, new Vector3()) : null;
    return this.motionOf(body)?.x ?? this.solids.get(body)?.mesh.position.clone() ?? null;
  }

  private followPicked(): void {
    const place = this.look.follow ? this.placeOfPicked() : null;
    if (place && this.followed) this.stage.goAlong(place.clone().sub(this.followed));
    this.followed = place;
  }

  private showPath(): void {
    const body = this.look.path && this.picked ? this.picked.body : -1;
    const moves = body >= 0 && this.replay.head.bodies[body].kind !== "obstacle";
    const track = moves && this.picked!.point >= 0 ? this.pointTrack : moves ? this.replay.tables.tracks[body] : null;
    this.path.show(track, this.frame?.time ?? 0);
  }

  /** On the ground that lies flattest below. */
  private showContactShadow(): void {
    let best: Ground | null = null;
    const slope = (ground: Ground) => ground.normal.dot(this.stage.up);
    for (const ground of this.allGrounds()) {
      ground.shaded = false;
      const shown = ground.mesh.visible && (ground.mesh.parent as Object3D).visible;
      if (this.stage.shadows && shown && slope(ground) > (best ? slope(best) : 0.3)) best = ground;
    }
    if (!best) return;
    const { normal, origin } = best;
    const centre = this.box.getCenter(new Vector3());
    centre.addScaledVector(normal, -normal.dot(centre.clone().sub(origin)));
    const bodies = new Map<Object3D, MeshDepthMaterial>();
    for (const [i, solid] of this.solids)
      if (!this.grounds.has(i) && solid.mesh.visible && this.visibility.opacity(i) > 0.5) bodies.set(solid.mesh, this.darkness);
    for (const [i, cloud] of this.clouds)
      if (cloud.mesh.visible && this.visibility.opacity(i) > 0.5) bodies.set(cloud.mesh, cloud.darkness);
    this.contactShadow.place(centre, normal, this.size);
    this.contactShadow.show(this.stage.scene, bodies);
    best.shaded = true;
  }

  /** 0..1 of the contact shadow; 0: none is drawn. */
  darkestUnder(): number {
    return this.allGrounds().some((ground) => ground.shaded) ? this.contactShadow.darkest() : 0;
  }

  /** With and without shadows of both kinds. */
  setShadows(on: boolean): void {
    this.stage.shadows = on;
    this.showContactShadow();
  }

  private showSpot(): void {
    const cloud = this.picked && this.picked.point >= 0 ? this.clouds.get(this.picked.body) : undefined;
    this.spot.visible = !!cloud?.frame && this.picked!.point < cloud.frame.count;
    if (!this.spot.visible) return;
    cloud!.position(this.picked!.point, this.spot.position);
    this.spot.scale.setScalar(1.3 * cloud!.radiusOf(this.picked!.point));
  }

  /** Contacts of the picked body only, when one is picked and has some; none of hidden bodies. */
  private wanted(contacts: Contacts): (i: number) => boolean {
    const body = this.picked?.body ?? -1;
    const known = body >= 0 && contacts.pointBody.some((b) => b >= 0);
    const hidden = (b: number) => b >= 0 && this.visibility.opacity(b) === 0;
    const x = new Vector3();
    return (i) => {
      if (!this.keptByCut(x.fromArray(contacts.x, 3 * i))) return false;
      const [a, b] = [contacts.pointBody[i], contacts.surfaceBody[i]];
      return (!known || a === body || b === body) && !(hidden(a) && hidden(b));
    };
  }

  private showMarks(): void {
    const { contacts } = this.frame!;
    const wanted = this.wanted(contacts);
    const lengths = this.forceLengths();
    const { arrows, cones, chains, dots } = this.marks;
    const pixel = (x: Vector3) => this.stage.pixelAt(x);
    arrows.visible = this.look.arrows && lengths !== null && this.marks.showArrows(contacts, lengths, pixel, wanted) > 0;
    chains.visible = this.look.chains && lengths !== null && this.showChains(contacts, lengths.reference, wanted) > 0;
    const height = 0.4 * this.markLength() * this.look.arrowScale;
    cones.visible = this.look.cones && this.marks.showCones(contacts, height, (i) => this.frictionOf(contacts, i), wanted) > 0;
    const mode = this.look.colour;
    dots.visible = (mode === "penetration" || mode === "contact") && contacts.count > 0;
    const x = new Vector3();
    const kept = (i: number) => this.keptByCut(x.fromArray(contacts.x, 3 * i));
    if (dots.visible) this.marks.showDots(contacts, kept, (i, out, at) => this.painter.colourOfContact(contacts, i, out, at));
  }

  /** From centre to centre; to the contact alone where a body has no centre worth the name. */
  private showChains(contacts: Contacts, reference: number, wanted: (i: number) => boolean): number {
    const x = new Vector3();
    const centre = (body: number, point: number, out: Vector3): boolean => {
      const cloud = this.clouds.get(body);
      if (cloud) return point >= 0 && point < (cloud.frame?.count ?? 0) && !!cloud.position(point, out);
      const solid = this.replay.head.bodies[body]?.kind === "obstacle" ? undefined : this.solids.get(body);
      const sphere = solid?.mesh.geometry.boundingSphere;
      return !!sphere && !!out.copy(sphere.center).applyMatrix4(solid!.mesh.matrixWorld);
    };
    const ends = (i: number, a: Vector3, b: Vector3): boolean => {
      const [first, second] = [contacts.pointBody[i], contacts.surfaceBody[i]];
      if (!wanted(i) || !centre(first, contacts.point[i], a)) return false;
      x.fromArray(contacts.x, 3 * i);
      if (this.clouds.has(second)) b.copy(x).multiplyScalar(2).sub(a); // the other sphere of the pair, as large
      else if (!centre(second, -1, b)) b.copy(x);
      return true;
    };
    return this.marks.showChains(contacts, reference, this.chainWidth() * this.look.arrowScale, ends);
  }

  /** Bars no thicker than spheres. */
  private chainWidth(): number {
    const radii = [...this.clouds.values()].map((cloud) => 0.35 * cloud.radiusOf(0));
    return Math.min(0.12 * this.markLength(), ...radii);
  }

  /** Arrows as long as the bodies are large, not as their way is long. */
  private markLength(): number {
    const radii = [...this.solids]
      .filter(([i, solid]) => this.replay.head.bodies[i].kind !== "obstacle" && solid.mesh.geometry.boundingSphere)
      .map(([, solid]) => solid.mesh.geometry.boundingSphere!.radius)
      .sort((a, b) => a - b);
    const typical = radii.length > 0 ? radii[radii.length >> 1] : 0.1 * this.size;
    return Math.min(0.12 * this.size, 1.3 * typical);
  }

  frictionOf(contacts: Contacts, i: number): number {
    const [a, b] = [contacts.pointBody[i], contacts.surfaceBody[i]];
    const { pairs, friction } = this.replay.head;
    const pair = pairs.find(({ bodies }) => (bodies[0] === a && bodies[1] === b) || (bodies[0] === b && bodies[1] === a));
    const value = pair ? pair.friction : friction;
    return typeof value === "number" ? value : NaN;
  }
}

