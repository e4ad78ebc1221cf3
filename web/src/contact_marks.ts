import { Object3D, Vector3 } from "three";
import { Cast, Pick } from "./cast";
import { Cut } from "./cut";
import { ArrowLengths, arrowLength, cutForce, referenceForce, roundForceWithin } from "./force_scale";
import { Look, mostArrowsOnGrains } from "./look";
import { Marks } from "./marks";
import { Painter } from "./painter";
import { Contacts, Replay } from "./replay";
import { Stage } from "./stage";

const capacity = 4096;
/** [pixels], and of the height of the picture: the shorter counts. */
const shortestArrow = 11;
const shortestPart = 1 / 50;
/** Radii of a grain that the arrow of a usual force is long. */
const grainsOfArrow = 4;

/** Which contacts of a frame are drawn, and at what scale. */
export class ContactMarks {
  private readonly marks = new Marks(capacity);
  private contacts: Contacts | null = null;
  private picked = -1;
  /** [m] of the scene. */
  size = 1;
  /** Forces are drawn over so many grains that these should be pale. */
  overGrains = false;

  constructor(
    private readonly replay: Replay,
    private readonly cast: Cast,
    private readonly painter: Painter,
    private readonly stage: Stage,
    private readonly cut: Cut,
    private readonly look: Look,
  ) {}

  /** All that is drawn. */
  get objects(): Object3D[] {
    return [this.marks.chains, this.marks.arrows, this.marks.cones, this.marks.dots];
  }

  /** Those that a plane cuts as it does bodies. */
  get materials() {
    return [this.marks.arrows, this.marks.chains].map(({ material }) => material).flat();
  }

  /** `picked`: contacts of this body alone, when it has some. */
  show(contacts: Contacts, picked: Pick | null): void {
    this.contacts = contacts;
    this.picked = picked?.body ?? -1;
    const wanted = this.wanted(contacts);
    const side = (i: number) => (wanted(i) ? this.side(contacts, i) : 0);
    const lengths = this.lengths();
    const crowd = this.grainRadius() !== null && contacts.count > mostArrowsOnGrains;
    const { arrows, cones, chains, dots } = this.marks;
    const pixel = (x: Vector3) => this.stage.pixelAt(x);
    arrows.visible = this.look.arrows && lengths !== null && this.marks.showArrows(contacts, lengths, pixel, side, crowd ? 0 : this.shortest()) > 0;
    chains.visible = this.look.chains && lengths !== null && this.showChains(contacts, lengths.reference, wanted) > 0;
    this.overGrains = chains.visible || (arrows.visible && crowd);
    const height = 0.4 * this.bodyLength() * this.look.arrowScale;
    cones.visible = this.look.cones && this.marks.showCones(contacts, height, (i) => this.frictionOf(contacts, i), side) > 0;
    dots.visible = (this.look.colour === "penetration" || this.look.colour === "contact") && contacts.count > 0;
    if (dots.visible)
      this.marks.showDots(contacts, this.kept(contacts), (i, out, at) => this.painter.colourOfContact(contacts, i, out, at));
  }

  /** How arrows stand for forces now; null where none is drawn. */
  private lengths(): ArrowLengths | null {
    const { contacts } = this;
    if (!contacts || contacts.count === 0) return null;
    const wanted = this.wanted(contacts);
    const sizes: number[] = [];
    for (let i = 0; i < contacts.count; ++i)
      if (wanted(i)) sizes.push(Math.hypot(contacts.force[3 * i], contacts.force[3 * i + 1], contacts.force[3 * i + 2]));
    const scale = this.look.forceScale;
    return { scale, reference: referenceForce(scale, sizes, this.replay.head.ranges.force), length: this.bodyLength() * this.look.arrowScale, largest: sizes.reduce((most, size) => Math.max(most, size), 0) };
  }

  /** A round force [N], how many pixels its arrow is long in the middle of the picture, at most so many, and the force
   * from which arrows grow no longer; null where all are below. */
  roundForce(most: number): { force: number; pixels: number; cut: number | null } | null {
    const lengths = this.lengths();
    if (!lengths) return null;
    const pixel = this.stage.pixelAt(this.stage.controls.target);
    const force = roundForceWithin(most * pixel, lengths);
    return { force, pixels: arrowLength(force, lengths) / pixel, cut: cutForce(lengths) };
  }

  /** The normal force [N] that the bars of force chains are red and thick for; null where none is drawn. */
  chainForce(): number | null {
    return this.marks.chains.visible ? (this.lengths()?.reference ?? null) : null;
  }

  /** [pixels] of all arrows that are drawn; 0: none. */
  shortestArrow(): number {
    return this.marks.arrows.visible ? this.marks.shortest : 0;
  }

  private kept(contacts: Contacts): (i: number) => boolean {
    const x = new Vector3();
    return (i) => this.cut.keeps(x.fromArray(contacts.x, 3 * i));
  }

  /** Contacts of the picked body only, when one is picked and has some; none of hidden bodies. */
  private wanted(contacts: Contacts): (i: number) => boolean {
    const body = this.picked;
    const known = body >= 0 && contacts.pointBody.some((b) => b >= 0);
    const hidden = (b: number) => b >= 0 && this.cast.visibility.opacity(b) === 0;
    const kept = this.kept(contacts);
    return (i) => {
      const [a, b] = [contacts.pointBody[i], contacts.surfaceBody[i]];
      return kept(i) && (!known || a === body || b === body) && !(hidden(a) && hidden(b));
    };
  }

  /** Whether the force of a contact is drawn as that on the body of its point, 1, or on the other one, -1: on the picked
   * body, else on what moves, else on the later one. */
  private side(contacts: Contacts, i: number): number {
    const [a, b] = [contacts.pointBody[i], contacts.surfaceBody[i]];
    if (a === this.picked || b === this.picked) return a === this.picked ? 1 : -1;
    const [first, second] = [a, b].map((body) => this.cast.moves(body));
    return first === second ? (a >= b ? 1 : -1) : first ? 1 : -1;
  }

  /** From centre to centre; to the contact alone where a body has no centre worth the name. */
  private showChains(contacts: Contacts, reference: number, wanted: (i: number) => boolean): number {
    const { cast } = this;
    const centre = (body: number, point: number): Vector3 | null =>
      cast.clouds.has(body) ? cast.placeOfRow(body, point) : cast.moves(body) ? (cast.solids.get(body)?.centre ?? null) : null;
    const ends = (i: number, a: Vector3, b: Vector3): boolean => {
      const [first, second] = [contacts.pointBody[i], contacts.surfaceBody[i]];
      const from = wanted(i) ? centre(first, contacts.point[i]) : null;
      if (!from) return false;
      a.copy(from);
      b.fromArray(contacts.x, 3 * i);
      if (cast.clouds.has(second)) b.multiplyScalar(2).sub(a); // the other sphere of the pair, as large
      else b.copy(centre(second, -1) ?? b);
      return true;
    };
    return this.marks.showChains(contacts, reference, this.chainWidth() * this.look.arrowScale, ends);
  }

  /** Bars no thicker than spheres. */
  private chainWidth(): number {
    const radii = [...this.cast.clouds.values()].map((cloud) => 0.35 * cloud.radiusOf(0));
    return Math.min(0.12 * this.bodyLength(), ...radii);
  }

  /** [pixels] of small forces: fewer in a small picture, where they would hide the bodies. */
  private shortest(): number {
    return Math.min(shortestArrow, shortestPart * this.stage.height);
  }

  /** Of grains, where they have most contacts of the frame; else null. */
  private grainRadius(): number | null {
    const { contacts } = this;
    const grains = contacts?.pointBody.filter((b) => this.cast.clouds.has(b));
    return contacts && grains && 2 * grains.length > contacts.count ? this.cast.clouds.get(grains[0])!.radiusOf(0) : null;
  }

  /** Arrows as long as the bodies are large, not as their way is long. */
  private bodyLength(): number {
    const grain = this.grainRadius();
    if (grain !== null) return Math.min(0.12 * this.size, grainsOfArrow * grain);
    const radii = [...this.cast.solids]
      .filter(([i, solid]) => this.cast.moves(i) && solid.mesh.geometry.boundingSphere)
      .map(([, solid]) => solid.mesh.geometry.boundingSphere!.radius)
      .sort((a, b) => a - b);
    const typical = radii.length > 0 ? radii[radii.length >> 1] : 0.1 * this.size;
    return Math.min(0.12 * this.size, 1.3 * typical);
  }

  private frictionOf(contacts: Contacts, i: number): number {
    const [a, b] = [contacts.pointBody[i], contacts.surfaceBody[i]];
    const { pairs, friction } = this.replay.head;
    const pair = pairs.find(({ bodies }) => (bodies[0] === a && bodies[1] === b) || (bodies[0] === b && bodies[1] === a));
    const value = pair ? pair.friction : friction;
    return typeof value === "number" ? value : NaN;
  }
}
