import { PerspectiveCamera, Vector3 } from "three";

const svg = "http://www.w3.org/2000/svg";
const size = 76;
const arm = 25;
const axes = [
  { name: "x", towards: new Vector3(1, 0, 0) },
  { name: "y", towards: new Vector3(0, 1, 0) },
  { name: "z", towards: new Vector3(0, 0, 1) },
];

/** The axes of the world as the camera sees them, in a corner of the picture. */
export class Triad {
  private readonly lines: { line: SVGLineElement; label: SVGTextElement; group: SVGGElement }[] = [];

  constructor(private readonly root: SVGSVGElement) {
    root.setAttribute("viewBox", `${-size / 2} ${-size / 2} ${size} ${size}`);
    for (const { name } of axes) {
      const group = document.createElementNS(svg, "g");
      group.setAttribute("class", name);
      const line = document.createElementNS(svg, "line");
      const label = document.createElementNS(svg, "text");
      label.textContent = name;
      group.append(line, label);
      root.append(group);
      this.lines.push({ line, label, group });
    }
  }

  show(camera: PerspectiveCamera): void {
    const turn = camera.quaternion.clone().invert();
    const seen = axes.map(({ towards }, i) => ({ i, v: towards.clone().applyQuaternion(turn) }));
    seen.sort((a, b) => a.v.z - b.v.z); // what points away from the eye is drawn first
    for (const { i, v } of seen) {
      const { line, label, group } = this.lines[i];
      line.setAttribute("x2", (arm * v.x).toFixed(2));
      line.setAttribute("y2", (-arm * v.y).toFixed(2));
      const reach = (arm + 8) / Math.max(Math.hypot(v.x, v.y), 0.25);
      label.setAttribute("x", (reach * v.x * Math.min(Math.hypot(v.x, v.y) * 1.05, 1)).toFixed(2));
      label.setAttribute("y", (-reach * v.y * Math.min(Math.hypot(v.x, v.y) * 1.05, 1)).toFixed(2));
      group.style.opacity = String(0.45 + 0.55 * Math.min(1, (v.z + 1.3) / 1.3));
      this.root.append(group);
    }
  }
}
