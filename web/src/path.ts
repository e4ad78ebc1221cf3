import { BufferAttribute, BufferGeometry, Color, Line, LineBasicMaterial } from "three";
import { Track } from "./replay";

/** The way of a body through space: where it has been strong, where it will go faint. */
export class Path {
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
  private shown: Track | null = null;
  private readonly strong = new Color();
  private readonly faint = new Color();

  constructor() {
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, opacity: 0.9 }));
    this.line.frustumCulled = false;
    this.line.visible = false;
    this.line.renderOrder = 4;
  }

  setColours(strong: string, background: string): void {
    this.strong.set(strong);
    this.faint.set(strong).lerp(new Color(background), 0.68);
    this.shown = null;
  }

  show(track: Track | null, time: number): void {
    const rows = track?.time.length ?? 0;
    this.line.visible = rows > 1;
    if (!track || rows < 2) return;
    const { geometry } = this.line;
    if (track !== this.shown) {
      const x = new Float32Array(3 * rows);
      for (let i = 0; i < rows; ++i) for (let a = 0; a < 3; ++a) x[3 * i + a] = track.x[a][i];
      geometry.setAttribute("position", new BufferAttribute(x, 3));
      geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * rows), 3));
      this.shown = track;
    }
    const colour = geometry.getAttribute("color") as BufferAttribute;
    for (let i = 0; i < rows; ++i) (track.time[i] <= time * (1 + 1e-6) ? this.strong : this.faint).toArray(colour.array, 3 * i);
    colour.needsUpdate = true;
  }
}
