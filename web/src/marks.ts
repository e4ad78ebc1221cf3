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
import { Contacts } from "./replay";

const mostCones = 300;
const up = new Vector3(0, 1, 0);
const stick = new Color(stickColour);
const slide = new Color(slideColour);

/** Forces of contacts as arrows, friction cones around their normals, and dots: one draw call each. */
export class Marks {
  readonly arrows: InstancedMesh;
  readonly cones: InstancedMesh;
  readonly dots: Points<BufferGeometry, ShaderMaterial>;

  constructor(capacity: number) {
    const shaft = new CylinderGeometry(0.022, 0.022, 0.74, 8).translate(0, 0.37, 0);
    const head = new ConeGeometry(0.065, 0.27, 12).translate(0, 0.865, 0);
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
    this.dots = new Points(new BufferGeometry(), dotMaterial());
    this.dots.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * capacity), 3));
    this.dots.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * capacity), 3));
    this.dots.renderOrder = 3;
    for (const object of [this.arrows, this.cones, this.dots]) {
      object.frustumCulled = false;
      object.visible = false; // until there is a frame
    }
  }

  get capacity(): number {
    return this.arrows.instanceMatrix.count;
  }

  /** An arrow of `length` [m] for a force of `force` [N]; `wanted` leaves contacts out. */
  showArrows(contacts: Contacts, length: number, force: number, wanted: (i: number) => boolean): number {
    const matrix = new Matrix4();
    const from = new Vector3();
    const along = new Vector3();
    let n = 0;
    for (let i = 0; i < contacts.count && n < this.capacity; ++i) {
      along.fromArray(contacts.force, 3 * i);
      const size = along.length();
      const drawn = Math.min(size / force, 2.5) * length;
      if (!wanted(i) || !(drawn > 0.01 * length)) continue;
      from.fromArray(contacts.x, 3 * i);
      const turn = new Quaternion().setFromUnitVectors(up, along.divideScalar(size));
      // Thickness changes less than length, so that small forces can be seen.
      const thick = length * Math.min(Math.max(drawn / length, 0.35), 1.2);
      this.arrows.setMatrixAt(n, matrix.compose(from, turn, new Vector3(thick, drawn, thick)));
      this.arrows.setColorAt(n, contacts.sticks[i] ? stick : slide);
      ++n;
    }
    finish(this.arrows, n);
    return n;
  }

  /** Cones of the strongest contacts. `friction`: of a contact, not finite where it has no cone to draw. */
  showCones(contacts: Contacts, height: number, friction: (i: number) => number, wanted: (i: number) => boolean): number {
    const strength = (i: number) => Math.hypot(contacts.force[3 * i], contacts.force[3 * i + 1], contacts.force[3 * i + 2]);
    const order = Array.from({ length: contacts.count }, (_, i) => i)
      .filter((i) => wanted(i) && strength(i) > 0 && Number.isFinite(friction(i)))
      .sort((a, b) => strength(b) - strength(a))
      .slice(0, mostCones);
    const matrix = new Matrix4();
    const normal = new Vector3();
    order.forEach((i, n) => {
      const wide = height * Math.max(friction(i), 0.004);
      const turn = new Quaternion().setFromUnitVectors(up, normal.fromArray(contacts.normal, 3 * i).normalize());
      matrix.compose(new Vector3().fromArray(contacts.x, 3 * i), turn, new Vector3(wide, height, wide));
      this.cones.setMatrixAt(n, matrix);
      this.cones.setColorAt(n, contacts.sticks[i] ? stick : slide);
    });
    finish(this.cones, order.length);
    return order.length;
  }

  showDots(contacts: Contacts, colour: (i: number, out: Float32Array, at: number) => void): void {
    const n = Math.min(contacts.count, this.capacity);
    const position = this.dots.geometry.getAttribute("position") as BufferAttribute;
    const colours = this.dots.geometry.getAttribute("color") as BufferAttribute;
    (position.array as Float32Array).set(contacts.x.subarray(0, 3 * n));
    for (let i = 0; i < n; ++i) colour(i, colours.array as Float32Array, 3 * i);
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
