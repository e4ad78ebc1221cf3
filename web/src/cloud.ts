import {
  BufferAttribute,
  Color,
  DataTexture,
  DoubleSide,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearFilter,
  Mesh,
  MeshDepthMaterial,
  MeshLambertMaterial,
  Sphere,
  Vector3,
  WebGLProgramParametersWithUniforms,
} from "three";
import { ColourMode, palette } from "./colour";
import { darknessMaterial } from "./contact_shadow";
import { numberOf, PointFrame } from "./replay";
import { setMaterialOpacity } from "./solid";

/**
 * All spheres or particles of a body in one draw call: a square a sphere that faces the eye and is shaded as the sphere
 * it stands for, also in depth. The packed positions go to the graphics card as they are.
 */
export class Cloud {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshLambertMaterial>;
  frame: PointFrame | null = null;
  radius: Float32Array;
  /** Draws it for the shadow on the ground. */
  readonly darkness = darknessMaterial((shader) => patch(shader, this.uniforms, false));
  private capacity = 0;
  private spots = new Uint16Array(0);
  private mode: ColourMode = "body";
  private readonly uniforms = {
    boxMin: { value: new Vector3() },
    boxSize: { value: new Vector3() },
    towardsLight: { value: new Vector3(0, 1, 0) },
    palette: { value: new DataTexture(new Uint8Array(256 * 4), 256, 1) },
    variety: { value: 0 },
  };

  /** Of points that have none: about half their distance. */
  private defaultRadius = 0;

  constructor(readonly base: Color) {
    this.radius = new Float32Array(0);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    this.uniforms.palette.value.minFilter = this.uniforms.palette.value.magFilter = LinearFilter;
    const material = new MeshLambertMaterial({ shadowSide: DoubleSide }); // a square has no other side to cast one
    material.onBeforeCompile = (shader) => patch(shader, this.uniforms, true);
    this.mesh = new Mesh(geometry, material);
    const depth = new MeshDepthMaterial();
    depth.onBeforeCompile = (shader) => patch(shader, this.uniforms, false);
    this.mesh.customDepthMaterial = depth;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.setMode("body");
  }

  setLight(direction: Vector3): void {
    this.uniforms.towardsLight.value.copy(direction);
  }

  setMode(mode: ColourMode): void {
    const texture = this.uniforms.palette.value;
    texture.image.data!.set(palette(mode, mode === "body" ? this.base : new Color("#9aa1a8")));
    texture.needsUpdate = true;
    this.mode = mode;
    this.uniforms.variety.value = mode === "body" ? 0.16 : 0;
  }

  setOpacity(opacity: number, shades: boolean): void {
    setMaterialOpacity(this.mesh.material, opacity);
    this.mesh.material.depthWrite = true; // spheres behind spheres of the same set stay hidden
    this.mesh.visible = this.frame !== null && opacity > 0;
    this.mesh.castShadow = shades;
  }

  /** `values`: 0..1 for each point, where the colours show one. */
  show(frame: PointFrame | null, radius: Float32Array | null, values: Float32Array | null): void {
    this.frame = frame;
    this.mesh.visible = frame !== null;
    if (!frame) return;
    if (this.defaultRadius === 0) this.defaultRadius = halfDistance(frame);
    if (frame.count > this.capacity) this.allocate(frame.count);
    this.spots.set(frame.q);
    const last = (i: number) => (this.mode === "body" ? numberOf(frame, i) : values ? Math.round(65535 * Math.min(values[i], 1)) : 0);
    for (let i = 0; i < frame.count; ++i) this.spots[4 * i + 3] = last(i);
    const spot = this.mesh.geometry.getAttribute("spot") as InstancedBufferAttribute;
    spot.clearUpdateRanges();
    spot.addUpdateRange(0, 4 * frame.count);
    spot.needsUpdate = true;
    if (radius !== this.radius || radius === null) this.setRadius(radius, frame.count);
    this.mesh.geometry.instanceCount = frame.count;
    this.uniforms.boxMin.value.fromArray(frame.min);
    this.uniforms.boxSize.value.fromArray(frame.step).multiplyScalar(65535);
  }

  position(i: number, out: Vector3): Vector3 {
    const { q, min, step } = this.frame!;
    return out.set(min[0] + step[0] * q[4 * i], min[1] + step[1] * q[4 * i + 1], min[2] + step[2] * q[4 * i + 2]);
  }

  radiusOf(i: number): number {
    return this.radius[i] ?? this.defaultRadius;
  }

  /** The nearest of the spheres that are wanted that a ray meets. */
  pick(origin: Vector3, direction: Vector3, wanted: (i: number) => boolean): { point: number; distance: number } | null {
    let best: { point: number; distance: number } | null = null;
    const centre = new Vector3();
    for (let i = 0; i < (this.frame?.count ?? 0); ++i) {
      this.position(i, centre).sub(origin);
      const along = centre.dot(direction);
      const gap = centre.lengthSq() - along * along;
      const r = this.radiusOf(i);
      if (along > 0 && gap < r * r && wanted(i)) {
        const distance = along - Math.sqrt(r * r - gap);
        if (!best || distance < best.distance) best = { point: i, distance };
      }
    }
    return best;
  }

  private allocate(count: number): void {
    this.capacity = count;
    this.spots = new Uint16Array(4 * count);
    this.radius = new Float32Array(0);
    this.mesh.geometry.dispose();
    this.mesh.geometry.setAttribute("spot", new InstancedBufferAttribute(this.spots, 4, true));
    this.mesh.geometry.setAttribute("radius", new InstancedBufferAttribute(new Float32Array(count), 1));
  }

  private setRadius(radius: Float32Array | null, count: number): void {
    this.radius = radius ?? new Float32Array(count).fill(this.defaultRadius);
    const attribute = this.mesh.geometry.getAttribute("radius") as InstancedBufferAttribute;
    const array = attribute.array as Float32Array;
    for (let i = 0; i < count; ++i) array[i] = this.radius[i] ?? this.defaultRadius;
    attribute.needsUpdate = true;
  }
}

/** As if the points filled their box evenly. */
function halfDistance({ step, count }: PointFrame): number {
  const size = step.map((s) => 65535 * s);
  const largest = Math.max(...size) || 1;
  return 0.5 * Math.cbrt(size.reduce((volume, s) => volume * Math.max(s, 0.02 * largest), 1) / count);
}

function patch(shader: WebGLProgramParametersWithUniforms, uniforms: Record<string, { value: unknown }>, lit: boolean) {
  Object.assign(shader.uniforms, uniforms);
  shader.vertexShader = shader.vertexShader
    .replace(
      "#include <common>",
      `#include <common>
attribute vec4 spot;
attribute float radius;
uniform vec3 boxMin, boxSize, towardsLight;
varying vec2 spotCorner;
varying vec3 spotCentre;
varying float spotRadius, spotValue, spotTint;`,
    )
    .replace("#include <begin_vertex>", "vec3 transformed = boxMin + spot.xyz * boxSize;")
    .replace(
      "#include <project_vertex>",
      `vec4 mvPosition = modelViewMatrix * vec4(transformed, 1.0);
spotCorner = position.xy;
spotCentre = mvPosition.xyz;
spotRadius = radius;
spotValue = spot.w;
spotTint = fract(sin(floor(spot.w * 65535.0 + 0.5) * 12.9898) * 43758.5453) - 0.5;
mvPosition.xy += position.xy * radius;
gl_Position = projectionMatrix * mvPosition;`,
    )
    // A sphere is in the shade as a whole, or not: its point nearest to the light decides.
    .replace(
      "#include <worldpos_vertex>",
      "vec4 worldPosition = modelMatrix * vec4(transformed + 1.1 * radius * towardsLight, 1.0);",
    );
  shader.fragmentShader = shader.fragmentShader
    .replace(
      "#include <common>",
      `#include <common>
uniform mat4 projectionMatrix;
uniform sampler2D palette;
uniform float variety;
varying vec2 spotCorner;
varying vec3 spotCentre;
varying float spotRadius, spotValue, spotTint;`,
    )
    .replace(
      "#include <clipping_planes_fragment>",
      `float spotGap = dot(spotCorner, spotCorner);
if (spotGap > 1.0) discard;
#include <clipping_planes_fragment>`,
    );
  if (!lit) return;
  shader.fragmentShader = shader.fragmentShader
    .replace(
      "#include <color_fragment>",
      `vec3 spotColour = texture2D(palette, vec2((spotValue * 255.0 + 0.5) / 256.0, 0.5)).rgb;
diffuseColor.rgb = spotColour * spotColour * (1.0 + variety * spotTint);`,
    )
    .replace(
      "#include <normal_fragment_begin>",
      `vec3 normal = vec3(spotCorner, sqrt(1.0 - spotGap));
vec3 nonPerturbedNormal = normal;
vec4 spotClip = projectionMatrix * vec4(spotCentre + spotRadius * normal, 1.0);
gl_FragDepth = 0.5 * spotClip.z / spotClip.w + 0.5;`,
    );
}
