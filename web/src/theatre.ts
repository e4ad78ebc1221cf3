import { Box3, DoubleSide, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { Cast, Pick } from "./cast";
import { ContactMarks } from "./contact_marks";
import { Cut } from "./cut";
import { contentBox, wholeBox } from "./extent";
import { Ghost } from "./ghost";
import { Grounds } from "./grounds";
import { Look } from "./look";
import { Painter } from "./painter";
import { Path } from "./path";
import { trackOfPoint } from "./point_track";
import { Frame, Replay, Track } from "./replay";
import { Stage, View } from "./stage";
import { Theme } from "./theme";

/** Times the size of the picture. */
const noticeable = 1.5;

const sizeOf = (box: Box3) => box.getSize(new Vector3()).length();

/** Shows frames: bodies in their colours, contacts, ground. */
export class Theatre {
  readonly stage: Stage;
  readonly cast: Cast;
  readonly grounds: Grounds;
  readonly painter: Painter;
  readonly marks: ContactMarks;
  frame: Frame | null = null;
  picked: Pick | null = null;
  ghost: Ghost | null = null;
  /** Where the selected sphere or particle is over the run, as soon as it is known. */
  pointTrack: Track | null = null;
  private readonly cut = new Cut();
  private readonly path = new Path();
  private readonly spot: Mesh;
  private box: Box3;
  /** Where the followed body was. */
  private followed: Vector3 | null = null;

  constructor(
    container: HTMLElement,
    tools: HTMLElement,
    private readonly replay: Replay,
    readonly look: Look,
  ) {
    const { head, meshes, tables } = replay;
    this.stage = new Stage(container, tools, new Vector3(...head.gravity));
    this.cast = new Cast(replay, this.stage);
    this.painter = new Painter(replay);
    this.box = contentBox(head.bodies, meshes, tables);
    this.grounds = new Grounds(replay, this.cast, this.stage, this.box);
    this.marks = new ContactMarks(replay, this.cast, this.painter, this.stage, this.cut, look);
    this.spot = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.45, side: DoubleSide }));
    this.spot.visible = false;
    this.stage.add(...this.marks.objects, this.path.line, this.spot);
    this.boxHasChanged();
    this.fit("overview");
    this.stage.onView = () => this.viewChanged();
  }

  /** [m] of what there is to look at. */
  get size(): number {
    return this.marks.size;
  }

  /** Called when the picture is seen from another place. */
  onView: () => void = () => {};
  /** Called when the track of the selected sphere is known. */
  onTrack: () => void = () => {};

  fit(view?: View): void {
    this.stage.fit(this.box, view);
  }

  /** Whatever ran away too. */
  fitAll(): void {
    this.stage.fit(this.wholeBox());
  }

  /** Whether there is more to see than fit() shows. */
  get someRanAway(): boolean {
    return sizeOf(this.wholeBox()) > noticeable * sizeOf(this.box);
  }

  private wholeBox(): Box3 {
    const other = this.ghost?.replay.head.bodies ?? [];
    return wholeBox([...this.replay.head.bodies, ...other]).union(this.box);
  }

  /** With some room around, but no more than the scene: a floor may be far larger, or have no end. */
  fitPicked(): void {
    if (!this.picked || !this.frame || this.cast.planes.has(this.picked.body)) return this.fit();
    const solid = this.cast.solids.get(this.picked.body);
    const box = new Box3();
    if (solid) box.setFromObject(solid.mesh);
    else if (this.spot.visible) box.setFromObject(this.spot).expandByScalar(4 * this.spot.scale.x);
    if (box.isEmpty()) return;
    box.expandByScalar(0.35 * sizeOf(box));
    this.stage.fit(sizeOf(box) < this.size ? box : this.box);
  }

  /** For a run that goes on, or a second one: bodies may be where the picture does not reach. */
  grow(): void {
    const box = contentBox(this.replay.head.bodies, this.replay.meshes, this.replay.tables);
    const other = this.ghost?.replay;
    if (other) box.union(contentBox(other.head.bodies, other.meshes, other.tables));
    if (this.box.containsBox(box)) return;
    this.box = box;
    this.boxHasChanged();
    if (!this.stage.moved) this.fit("overview");
  }

  private boxHasChanged(): void {
    this.marks.size = sizeOf(this.box);
    this.stage.lightUp(this.box);
  }

  setTheme(theme: Theme): void {
    this.stage.setBackground(theme.background);
    this.grounds.setColours(theme.ground, theme.grid);
    this.path.setColours(theme.path, theme.background);
    this.showPath();
  }

  show(frame: Frame): void {
    this.frame = this.painter.frame = frame;
    this.cast.show(frame);
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
    for (const [i, solid] of this.cast.solids) this.painter.paint(i, solid, this.picked?.body === i);
    for (const [i, cloud] of this.cast.clouds) this.painter.paintCloud(i, cloud);
    this.lookThrough();
    this.applyCut();
    this.showSpot();
    this.marks.show(this.frame.contacts, this.picked);
    this.applyVisibility();
    this.showPath();
    this.grounds.showContactShadow(this.box);
    this.followed = this.look.follow ? (this.followed ?? this.placeOfPicked()) : null;
    this.stage.invalidate();
  }

  private viewChanged(): void {
    if (this.frame) {
      const changed = this.lookThrough();
      this.marks.show(this.frame.contacts, this.picked);
      if (changed) {
        this.applyVisibility();
        this.stage.invalidate();
      }
    }
    this.onView();
  }

  pickAt(x: number, y: number): Pick | null {
    return this.cast.pick(this.stage.ray(x, y), (place) => this.cut.keeps(place));
  }

  private lookThrough(): boolean {
    return this.cast.lookThrough(this.stage.camera.position, this.look.seeThrough);
  }

  private applyVisibility(): void {
    this.cast.applyVisibility(this.marks.overGrains);
    this.grounds.show(this.look.ground);
    this.ghost?.hide(this.cast.hiddenNames());
  }

  private applyCut(): void {
    this.cut.set(this.look.cut, this.box);
    const { solids, clouds, planes } = this.cast;
    for (const [i, solid] of solids) if (!planes.has(i)) this.cut.apply(solid.mesh.material);
    const others = [...clouds.values()].flatMap((cloud) => [cloud.mesh.material, cloud.darkness]);
    for (const material of [...others, this.grounds.darkness, ...(this.ghost?.materials() ?? []), ...this.marks.materials]) this.cut.apply(material);
  }

  /** Of what is selected, in this frame. */
  private placeOfPicked(): Vector3 | null {
    if (!this.picked || !this.frame) return null;
    const { body, point } = this.picked;
    if (point >= 0) return this.cast.placeOfPick(this.picked);
    return this.painter.motionOf(body)?.x ?? this.cast.solids.get(body)?.mesh.position.clone() ?? null;
  }

  private followPicked(): void {
    const place = this.look.follow ? this.placeOfPicked() : null;
    if (place && this.followed) this.stage.goAlong(place.clone().sub(this.followed));
    this.followed = place;
  }

  private showPath(): void {
    const { picked } = this;
    const drawn = this.look.path && picked && this.cast.moves(picked.body);
    const track = drawn ? (picked.point >= 0 ? this.pointTrack : this.replay.tables.tracks[picked.body]) : null;
    this.path.show(track, this.frame?.time ?? 0);
  }

  private showSpot(): void {
    const place = this.picked && this.cast.placeOfPick(this.picked);
    this.spot.visible = !!place;
    if (!place) return;
    this.spot.position.copy(place);
    this.spot.scale.setScalar(1.3 * this.cast.clouds.get(this.picked!.body)!.radiusOf(this.cast.rowOfPick(this.picked!)));
  }
}
