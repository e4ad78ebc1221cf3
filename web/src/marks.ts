import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Points,
  Quaternion,
  ShaderMaterial,
  Vector3,
  WebGLRenderer,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { slideColour, stickColour } from "./colour";
import { ArrowLengths, arrowLength } from "./force_scale";
import { Contacts } from "./replay";

const mostCones = 300;
/** The largest radius of an arrow's head, of its length; the slim one among many. */
const stout = 0.3;
const slim = 0.12;
const up = new Vector3(0, 1, 0);
const stick = new Color(stickColour);
const slide = new Color(slideColour);

const chainColour = new Color();

/** From grey to red, as the force grows. */
function chainRgb(part: number): [number, number, number] {
  const strong = Math.min(part, 1) ** 0.7;
  return [0.3 + 0.4 * strong, 0.3 - 0.25 * strong, 0.33 - 0.27 * strong];
}

/** From no force to the largest. */
export const chainStyle = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map((part) => new Color(...chainRgb(part)).getStyle())})`;

/** Forces of contacts as arrows, force chains, friction cones around normals, and dots: one draw call each. */
export class Marks {
  readonly arrows: InstancedMesh;
  readonly cones: InstancedMesh;
  readonly chains: InstancedMesh;
  readonly dots: Points<BufferGeometry, ShaderMaterial>;

  /** [pixels] of the arrows shown last */
  shortest = 0;

  constructor(capacity: number) {
    // Of length 1, the head of radius 1: thickness is given apart from length.
    const shaft = new CylinderGeometry(0.36, 0.36, 0.72, 8).translate(0, 0.36, 0);
    const head = new ConeGeometry(1, 0.3, 12).translate(0, 0.85, 0);
    this.arrows = new InstancedMesh(mergeGeometries([shaft, head]), new MeshLambertMaterial({ transparent: true }), capacity);
    this.arrows.renderOrder = 1;
    // Forces point into bodies: marks are drawn over them, but hide one another.
    const overBodies = (renderer: WebGLRenderer) => renderer.clearDepth();
    this.arrows.onBeforeRender = overBodies;
    // The apex at the contact, opening along the normal.
    const cone = new ConeGeometry(1, 1, 28, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.cones = new InstancedMesh(
      cone,
      new MeshBasicMaterial({ transparent: true, opacity: 0.24, side: DoubleSide, depthWrite: false }),
      mostCones,
    );
    this.cones.renderOrder = 2;
    this.cones.onBeforeRender = (renderer) => !this.arrows.visible && overBodies(renderer);
    const bar = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
    this.chains = new InstancedMesh(bar, new MeshLambertMaterial({ transparent: true }), capacity);
    this.chains.renderOrder = 0.5;
    this.chains.onBeforeRender = overBodies;
    this.dots = new Points(new BufferGeometry(), dotMaterial());
    this.dots.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * capacity), 3));
    this.dots.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * capacity), 3));
    this.dots.renderOrder = 3;
    for (const object of [this.arrows, this.cones, this.chains, this.dots]) {
      object.frustumCulled = false;
      object.visible = false; // until there is a frame
    }
  }

  get capacity(): number {
    return this.arrows.instanceMatrix.count;
  }

  /**
   * `side`: 1 for the force on the body of the point, -1 for that on the other one, 0 leaves the contact out; `pixel`:
   * how long one is at a place [m]. None is shorter than `shortest` [pixels]; with 0 each is as long as its force is large, and slim.
   */
  showArrows(contacts: Contacts, lengths: ArrowLengths, pixel: (x: Vector3) => number, side: (i: number) => number, shortest: number): number {
    const matrix = new Matrix4();
    const from = new Vector3();
    const along = new Vector3();
    let n = 0;
    this.shortest = Infinity;
    for (let i = 0; i < contacts.count && n < this.capacity; ++i) {
      const size = along.fromArray(contacts.force, 3 * i).length();
      const sign = side(i);
      if (!(size > 0) || sign === 0) continue;
      const one = pixel(from.fromArray(contacts.x, 3 * i));
      const drawn = Math.max(arrowLength(size, lengths), shortest * one);
      this.shortest = Math.min(this.shortest, drawn / one);
      const turn = new Quaternion().setFromUnitVectors(up, along.divideScalar(sign * size));
      const usual = one * Math.min(Math.max(2.4 + 0.04 * (drawn / one), 3), 7);
      const thick = Math.min(usual, (shortest > 0 ? stout : slim) * drawn);
      this.arrows.setMatrixAt(n, matrix.compose(from, turn, new Vector3(thick, drawn, thick)));
      this.arrows.setColorAt(n, contacts.sticks[i] ? stick : slide);
      ++n;
    }
    finish(this.arrows, n);
    return n;
  }

  /**
   * Force chains: bars between the ends of each contact, as thick as its normal force is large. `ends` writes two points
   * and tells whether there are any.
   */
  showChains(contacts: Contacts, reference: number, thickest: number, ends: (i: number, a: Vector3, b: Vector3) => boolean): number {
    const matrix = new Matrix4();
    const a = new Vector3();
    const b = new Vector3();
    const along = new Vector3();
    let n = 0;
    for (let i = 0; i < contacts.count && n < this.capacity; ++i) {
      let normal = 0;
      for (let k = 0; k < 3; ++k) normal += contacts.force[3 * i + k] * contacts.normal[3 * i + k];
      if (normal === 0 || !ends(i, a, b)) continue;
      const part = Math.min(Math.abs(normal) / reference, 2.5);
      const length = along.subVectors(b, a).length();
      if (!(length > 0)) continue;
      const turn = new Quaternion().setFromUnitVectors(up, along.divideScalar(length));
      const thick = thickest * Math.max(part, 0.03);
      this.chains.setMatrixAt(n, matrix.compose(a, turn, new Vector3(thick, length, thick)));
      this.chains.setColorAt(n, chainColour.setRGB(...chainRgb(part)));
      ++n;
    }
    finish(this.chains, n);
    return n;
  }

  /** Cones of the strongest contacts. `friction`: of a contact, not finite where it has no cone to draw; `side`: as of arrows. */
  showCones(contacts: Contacts, height: number, friction: (i: number) => number, side: (i: number) => number): number {
    const strength = (i: number) => Math.hypot(contacts.force[3 * i], contacts.force[3 * i + 1], contacts.force[3 * i + 2]);
    const order = Array.from({ length: contacts.count }, (_, i) => i)
      .filter((i) => side(i) !== 0 && strength(i) > 0 && Number.isFinite(friction(i)))
      .sort((a, b) => strength(b) - strength(a))
      .slice(0, mostCones);
    const matrix = new Matrix4();
    const normal = new Vector3();
    order.forEach((i, n) => {
      const wide = height * Math.max(friction(i), 0.004);
      const turn = new Quaternion().setFromUnitVectors(up, normal.fromArray(contacts.normal, 3 * i).normalize().multiplyScalar(side(i)));
      matrix.compose(new Vector3().fromArray(contacts.x, 3 * i), turn, new Vector3(wide, height, wide));
      this.cones.setMatrixAt(n, matrix);
      this.cones.setColorAt(n, contacts.sticks[i] ? stick : slide);
    });
    finish(this.cones, order.length);
    return order.length;
  }

  /** `wanted` leaves contacts out; `colour` writes that of one. */
  showDots(contacts: Contacts, wanted: (i: number) => boolean, colour: (i: number, out: Float32Array, at: number) => void): void {
    const position = this.dots.geometry.getAttribute("position") as BufferAttribute;
    const colours = this.dots.geometry.getAttribute("color") as BufferAttribute;
    let n = 0;
    for (let i = 0; i < contacts.count && n < this.capacity; ++i) {
      if (!wanted(i)) continue;
      (position.array as Float32Array).set(contacts.x.subarray(3 * i, 3 * i + 3), 3 * n);
      colour(i, colours.array as Float32Array, 3 * n);
      ++n;
    }
    position.needsUpdate = colours.needsUpdate = true;
    this.dots.geometry.setDrawRange(0, n);
  }
}

function finish(mesh: InstancedMesh, count: number): void {
  mesh.count = count;
  mesh.instanceMatrix.needsUpdate = true;
  if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
}

/** Round dots with a pale rim, of the same size at any distance, drawn over what they lie on. */
function dotMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { size: { value: 9 } },
    vertexColors: true,
    transparent: true,
    depthTest: false,
    vertexShader: /* glsl */ `
uniform float size;
varying vec3 dotColour;
void main() {
  dotColour = color;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`,
    fragmentShader: /* glsl */ `
varying vec3 dotColour;
void main() {
  float r = length(gl_PointCoord - 0.5) * 2.0;
  if (r > 1.0) discard;
  gl_FragColor = vec4(mix(dotColour, vec3(1.0), smoothstep(0.62, 0.78, r)), 1.0 - smoothstep(0.9, 1.0, r));
  #include <colorspace_fragment>
}`,
  });
}
