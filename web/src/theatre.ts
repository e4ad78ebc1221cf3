import { Box3, Color, DoubleSide, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { Cloud } from "./cloud";
import { ColourMode, colourOfBody, obstacleColour, slideColour, stickColour, writeScale } from "./colour";
import { Ground, roundLength } from "./ground";
import { Marks } from "./marks";
import { Contacts, Frame, Replay } from "./replay";
import { BodyHead } from "./source";
import { Solid } from "./solid";
import { Stage, View } from "./stage";

export interface Look {
  colour: ColourMode;
  arrows: boolean;
  cones: boolean;
  ground: boolean;
  /** Length of arrows and cones; 1 is usual. */
  arrowScale: number;
}

export interface Pick {
  body: number;
  /** Point of a cloud, -1 for a body with a surface. */
  point: number;
}

export interface Theme {
  background: string;
  ground: string;
  grid: string;
}

const grey = new Color("#9aa1a8");

/** Shows frames: bodies in their colours, contacts, ground. */
export class Theatre {
  readonly stage: Stage;
  readonly solids = new Map<number, Solid>();
  readonly clouds = new Map<number, Cloud>();
  readonly grid: number;
  frame: Frame | null = null;
  picked: Pick | null = null;
  private readonly marks: Marks;
  private readonly grounds: Ground[] = [];
  private readonly addedGround: Ground | null = null;
  private box: Box3;
  private size: number;
  private readonly spot: Mesh;

  constructor(
    container: HTMLElement,
    private readonly replay: Replay,
    readonly look: Look,
  ) {
    const { head } = replay;
    this.stage = new Stage(container, new Vector3(...head.gravity));
    this.box = contentBox(head.bodies);
    this.size = this.box.getSize(new Vector3()).length();
    this.grid = roundLength(this.size / 10);
    let number = 0;
    head.bodies.forEach((body, i) => {
      const colour = body.kind === "obstacle" ? new Color(obstacleColour) : colourOfBody(number++);
      this.addBody(i, body, colour);
    });
    if (this.grounds.length === 0) this.addedGround = this.makeGround();
    this.marks = new Marks(4096);
    this.spot = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45, side: DoubleSide }));
    this.spot.visible = false;
    this.stage.add(this.marks.arrows, this.marks.cones, this.marks.dots, this.spot);
    this.stage.lightUp(this.box);
    this.fit("overview");
  }

  colourOf(body: number): string {
    const colour = this.solids.get(body)?.base ?? this.cloudColours.get(body) ?? grey;
    return "#" + colour.getHexString();
  }

  fit(view?: View): void {
    this.stage.fit(this.box, view);
  }

  fitPicked(): void {
    if (!this.picked || !this.frame) return this.fit();
    const solid = this.solids.get(this.picked.body);
    const box = new Box3();
    if (solid) box.setFromObject(solid.mesh);
    else if (this.spot.visible) box.setFromObject(this.spot).expandByScalar(4 * this.spot.scale.x);
    if (!box.isEmpty()) this.stage.fit(box.expandByScalar(0.35 * box.getSize(new Vector3()).length()));
  }

  /** For a run that goes on: bodies may have come to where the picture does not reach. */
  grow(): void {
    const box = contentBox(this.replay.head.bodies);
    if (this.box.containsBox(box)) return;
    this.box = box;
    this.size = box.getSize(new Vector3()).length();
    this.stage.lightUp(box);
    if (!this.stage.moved) this.fit("overview");
  }

  setTheme(theme: Theme): void {
    this.stage.setBackground(theme.background);
    for (const ground of this.allGrounds()) ground.setColours(theme.ground, theme.grid);
  }

  show(frame: Frame): void {
    this.frame = frame;
    frame.bodies.forEach((body, i) => this.solids.get(i)?.show(body));
    this.update();
  }

  setPick(pick: Pick | null): void {
    this.picked = pick;
    this.update();
  }

  /** After a change of look, pick or frame. */
  update(): void {
    if (!this.frame) return;
    for (const [i, solid] of this.solids) this.paint(i, solid);
    for (const [i, cloud] of this.clouds) this.paintCloud(i, cloud);
    this.showSpot();
    this.showMarks();
    if (this.addedGround) this.addedGround.mesh.visible = this.look.ground;
    this.stage.invalidate();
  }

  pickAt(x: number, y: number): Pick | null {
    const caster = this.stage.ray(x, y);
    let best: (Pick & { distance: number }) | null = null;
    for (const [body, solid] of this.solids) {
      if (!solid.mesh.visible) continue;
      const hit = caster.intersectObject(solid.mesh, false)[0];
      if (hit && (!best || hit.distance < best.distance)) best = { body, point: -1, distance: hit.distance };
    }
    for (const [body, cloud] of this.clouds) {
      const hit = cloud.pick(caster.ray.origin, caster.ray.direction);
      if (hit && (!best || hit.distance < best.distance)) best = { body, point: hit.point, distance: hit.distance };
    }
    return best && { body: best.body, point: best.point };
  }

  /** The largest value of the scale that the colours show, with its unit. */
  scale(): { max: number; unit: string } | null {
    const { speed, stress, depth } = this.replay.head.ranges;
    if (this.look.colour === "speed") return { max: speed || 1, unit: "m/s" };
    if (this.look.colour === "stress") return { max: stress || 1, unit: "Pa" };
    if (this.look.colour === "penetration") return { max: depth || 1, unit: "m" };
    return null;
  }

  /** Speed of each point of a cloud, from how far it moves to the next frame where it is not recorded. */
  speedOf(body: number): Float32Array | null {
    const now = this.frame?.bodies[body].points;
    if (!now || now.speed) return now?.speed ?? null;
    const { times } = this.replay.head;
    const other = this.frame!.number > 0 ? this.frame!.number - 1 : this.frame!.number + 1;
    const then = this.replay.ready(other)?.bodies[body].points;
    if (!then || then.count !== now.count || other >= times.length) return null;
    const seconds = Math.abs(times[other] - this.frame!.time);
    const speed = new Float32Array(now.count);
    for (let i = 0; i < now.count; ++i) {
      let sum = 0;
      for (let a = 0; a < 3; ++a)
        sum += (now.min[a] + now.step[a] * now.q[4 * i + a] - then.min[a] - then.step[a] * then.q[4 * i + a]) ** 2;
      speed[i] = Math.sqrt(sum) / seconds;
    }
    return speed;
  }

  private readonly cloudColours = new Map<number, Color>();

  private addBody(i: number, body: BodyHead, colour: Color): void {
    if (body.coding === "cloud") {
      const cloud = new Cloud(colour);
      cloud.setLight(this.stage.light);
      this.clouds.set(i, cloud);
      this.cloudColours.set(i, colour);
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
      const ground = new Ground(corners, this.grid, this.box.getCenter(new Vector3()), 1.8 * this.size);
      solid.mesh.add(ground.mesh);
      solid.mesh.material.visible = false;
      solid.mesh.castShadow = false;
      this.grounds.push(ground);
    }
    this.stage.add(solid.mesh);
  }

  /** Under everything, when the scene has no plane of its own. */
  private makeGround(): Ground {
    const all = this.box.clone();
    for (const body of this.replay.head.bodies) {
      if (body.box) all.union(new Box3(new Vector3(...body.box.slice(0, 3)), new Vector3(...body.box.slice(3))));
    }
    const { up, right, front } = this.stage;
    const lowest = Math.min(all.min.dot(up), all.max.dot(up));
    const centre = this.box.getCenter(new Vector3());
    centre.addScaledVector(up, lowest - centre.dot(up) - 0.002 * this.size);
    const reach = 2 * this.size;
    const corner = (a: number, b: number) =>
      centre.clone().addScaledVector(right, a * reach).addScaledVector(front, b * reach);
    const ground = new Ground([corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)], this.grid, centre, 1.6 * this.size);
    this.stage.add(ground.mesh);
    return ground;
  }

  private allGrounds(): Ground[] {
    return this.addedGround ? [...this.grounds, this.addedGround] : this.grounds;
  }

  private paint(i: number, solid: Solid): void {
    const picked = this.picked?.body === i;
    solid.mesh.material.emissive.set(picked ? "#2c3a4a" : "#000000");
    const body = this.replay.head.bodies[i];
    const values = this.valuesOf(i, solid);
    if (this.look.colour === "body") return solid.paint(null, solid.base);
    const plain = body.kind === "obstacle" ? new Color(obstacleColour) : grey;
    solid.paint(values, plain);
  }

  /** Colours of the points of a surface; null where the mode has none for it. */
  private valuesOf(i: number, solid: Solid): Float32Array | null {
    const body = this.frame!.bodies[i];
    const mode = this.look.colour;
    if (mode === "penetration" || mode === "contact") return this.contactColours(i, body.points?.count ?? 0);
    const field =
      mode === "speed" ? (body.points?.speed ?? this.speedOfPosed(i, solid)) : mode === "stress" ? body.points?.stress : null;
    if (!field) return null;
    const { max } = this.scale()!;
    const colours = new Float32Array(3 * field.length);
    for (let p = 0; p < field.length; ++p) writeScale(field[p] / max, colours, 3 * p);
    return colours;
  }

  private speedOfPosed(i: number, solid: Solid): Float32Array | null {
    const body = this.frame!.bodies[i];
    if (!body.pose || this.replay.head.bodies[i].kind === "obstacle") return null;
    const motion = this.motionOf(i);
    if (!motion) return null;
    const own = solid.ownVertices;
    const arm = new Vector3();
    const velocity = new Vector3();
    const speed = new Float32Array(own.length / 3);
    for (let p = 0; p < speed.length; ++p) {
      arm.fromArray(own, 3 * p).applyQuaternion(solid.mesh.quaternion);
      speed[p] = velocity.crossVectors(motion.w, arm).add(motion.v).length();
    }
    return speed;
  }

  /** Velocity and angular velocity of a body as a whole now, from its track. */
  motionOf(i: number): { x: Vector3; v: Vector3; w: Vector3 } | null {
    const track = this.replay.tables.tracks[i];
    const time = Math.fround(this.frame!.time);
    const row = track.time.indexOf(time);
    if (row < 0) return null;
    const at = (columns: Float32Array[]) => new Vector3(columns[0][row], columns[1][row], columns[2][row]);
    return { x: at(track.x), v: at(track.v), w: at(track.w) };
  }

  private contactColours(i: number, count: number): Float32Array | null {
    if (count === 0 || this.replay.head.bodies[i].kind === "obstacle") return null;
    const colours = new Float32Array(3 * count);
    for (let p = 0; p < count; ++p) grey.toArray(colours, 3 * p);
    const { contacts } = this.frame!;
    for (let c = 0; c < contacts.count; ++c)
      if (contacts.pointBody[c] === i && contacts.point[c] >= 0 && contacts.point[c] < count)
        this.colourOfContact(contacts, c, colours, 3 * contacts.point[c]);
    return colours;
  }

  private colourOfContact(contacts: Contacts, c: number, out: Float32Array, at: number): void {
    if (this.look.colour === "penetration") writeScale(contacts.depth[c] / this.scale()!.max, out, at);
    else new Color(contacts.sticks[c] ? stickColour : slideColour).toArray(out, at);
  }

  private paintCloud(i: number, cloud: Cloud): void {
    const { points, radius } = this.frame!.bodies[i];
    const mode = this.look.colour;
    cloud.setMode(mode);
    cloud.show(points, radius, points ? this.valuesOfCloud(i, points.count) : null);
  }

  private valuesOfCloud(i: number, count: number): Float32Array | null {
    const mode = this.look.colour;
    if (mode === "body" || mode === "stress") return null;
    const values = new Float32Array(count);
    if (mode === "speed") {
      const speed = this.speedOf(i);
      const { max } = this.scale()!;
      for (let p = 0; speed && p < count; ++p) values[p] = speed[p] / max;
      return values;
    }
    const { contacts } = this.frame!;
    for (let c = 0; c < contacts.count; ++c) {
      const p = contacts.point[c];
      if (contacts.pointBody[c] !== i || p < 0 || p >= count) continue;
      if (mode === "penetration") values[p] = Math.max(values[p], 0.004, contacts.depth[c] / this.scale()!.max);
      else values[p] = contacts.sticks[c] ? 0.5 : 0.9;
    }
    return values;
  }

  private showSpot(): void {
    const cloud = this.picked && this.picked.point >= 0 ? this.clouds.get(this.picked.body) : undefined;
    this.spot.visible = !!cloud?.frame && this.picked!.point < cloud.frame.count;
    if (!this.spot.visible) return;
    cloud!.position(this.picked!.point, this.spot.position);
    this.spot.scale.setScalar(1.3 * cloud!.radiusOf(this.picked!.point));
  }

  /** Contacts of the picked body only, when one is picked and has some. */
  private wanted(contacts: Contacts): (i: number) => boolean {
    const body = this.picked?.body ?? -1;
    const known = body >= 0 && contacts.pointBody.some((b) => b >= 0);
    return (i) => !known || contacts.pointBody[i] === body || contacts.surfaceBody[i] === body;
  }

  private showMarks(): void {
    const { contacts } = this.frame!;
    const wanted = this.wanted(contacts);
    const length = this.markLength() * this.look.arrowScale;
    const force = this.replay.head.ranges.force || 1;
    this.marks.arrows.visible =
      this.look.arrows && this.marks.showArrows(contacts, length, force, wanted) > 0;
    this.marks.cones.visible =
      this.look.cones && this.marks.showCones(contacts, 0.4 * length, (i) => this.frictionOf(contacts, i), wanted) > 0;
    const mode = this.look.colour;
    this.marks.dots.visible = (mode === "penetration" || mode === "contact") && contacts.count > 0;
    if (this.marks.dots.visible) this.marks.showDots(contacts, (i, out, at) => this.colourOfContact(contacts, i, out, at));
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

/** What there is to look at: everything that moves, and obstacles that are not much larger. */
function contentBox(bodies: BodyHead[]): Box3 {
  const boxes = bodies
    .filter((body) => body.box)
    .map((body) => ({ body, box: new Box3(new Vector3(...body.box!.slice(0, 3)), new Vector3(...body.box!.slice(3))) }));
  const content = new Box3();
  for (const { body, box } of boxes) if (body.kind !== "obstacle") content.union(box);
  if (content.isEmpty()) for (const { box } of boxes) content.union(box);
  if (content.isEmpty()) content.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  const size = content.getSize(new Vector3()).length();
  for (const { box } of boxes) if (box.getSize(new Vector3()).length() < 1.6 * size) content.union(box);
  const least = 1e-3 * (size || 1);
  return content.expandByVector(
    content.getSize(new Vector3()).toArray().reduce((v, s, a) => v.setComponent(a, s < least ? least : 0), new Vector3()),
  );
}
