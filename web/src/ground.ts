import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshLambertMaterial, Sphere, Vector3 } from "three";
import { ShadowMap } from "./contact_shadow";

/** Faces of bodies that lie in it are seen. */
const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

/** Sides of the disc that is drawn. */
const sides = 48;

/** A flat surface with a grid of stated spacing that fades out around the scene: a disc, no larger than is seen of it. */
export class Ground {
  readonly mesh: Mesh;
  private readonly uniforms = {
    gridOrigin: { value: new Vector3() },
    gridU: { value: new Vector3() },
    gridV: { value: new Vector3() },
    gridSpacing: { value: 1 },
    gridColour: { value: new Color() },
    fadeCentre: { value: new Vector3() },
    fadeRadius: { value: 1 },
    shadowStrength: { value: 0 },
  };
  private readonly material: MeshLambertMaterial;
  /** In the frame of the mesh, as `corner`, a point of the plane, is. */
  private readonly localNormal: Vector3;
  private readonly corner: Vector3;

  /** `corners`: three or more of the plane, in order around it. */
  constructor(corners: Vector3[], spacing: number, fadeCentre: Vector3, fadeRadius: number, shadow: ShadowMap) {
    const u = corners[1].clone().sub(corners[0]).normalize();
    const normal = new Vector3().crossVectors(u, corners[2].clone().sub(corners[0])).normalize();
    this.localNormal = normal;
    this.corner = corners[0];
    this.uniforms.gridU.value.copy(alignedAxis(normal, u));
    this.uniforms.gridV.value.crossVectors(normal, this.uniforms.gridU.value);
    this.uniforms.gridSpacing.value = spacing;
    this.uniforms.fadeCentre.value.copy(fadeCentre);
    this.uniforms.fadeRadius.value = fadeRadius;
    this.material = new MeshLambertMaterial({ transparent: true, side: DoubleSide, forceSinglePass: true, ...behind });
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms, { shadowUnder: shadow.map, toShadow: shadow.toMap });
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", `#include <common>\n${placeNames}`)
        .replace("#include <begin_vertex>", `#include <begin_vertex>\n${placeBody}`);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\n${gridFunctions}`)
        .replace("#include <opaque_fragment>", `${gridBody}\n#include <opaque_fragment>`);
    };
    this.mesh = new Mesh(discOf(normal), this.material);
    this.spread();
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
  }

  /** Out of the body whose ground it is, in the world. */
  get normal(): Vector3 {
    return this.localNormal.clone().transformDirection(this.mesh.matrixWorld);
  }

  /** A point of it in the world. */
  get origin(): Vector3 {
    return this.corner.clone().applyMatrix4(this.mesh.matrixWorld);
  }

  /** Whether the map of the shadow is that of this ground. */
  get shaded(): boolean {
    return this.uniforms.shadowStrength.value > 0;
  }
  set shaded(shaded: boolean) {
    this.uniforms.shadowStrength.value = shaded ? 0.55 : 0;
  }

  set opacity(opacity: number) {
    this.material.opacity = opacity;
  }

  /** Puts the disc where the plane, after a move, is near the scene. */
  spread(): void {
    const { mesh, localNormal, uniforms } = this;
    const centre = mesh.worldToLocal(uniforms.fadeCentre.value.clone());
    centre.addScaledVector(localNormal, -localNormal.dot(centre.clone().sub(this.corner)));
    const radius = uniforms.fadeRadius.value / Math.cos(Math.PI / sides);
    const u = alignedAxis(localNormal, uniforms.gridU.value);
    const v = new Vector3().crossVectors(localNormal, u);
    const position = mesh.geometry.getAttribute("position") as BufferAttribute;
    for (let i = 0; i < sides; ++i) {
      const angle = (2 * Math.PI * i) / sides;
      const rim = centre.clone().addScaledVector(u, radius * Math.cos(angle)).addScaledVector(v, radius * Math.sin(angle));
      position.setXYZ(i, rim.x, rim.y, rim.z);
    }
    position.needsUpdate = true;
    mesh.geometry.boundingSphere = new Sphere(centre, radius);
  }

  setColours(surface: string, grid: string): void {
    this.material.color.set(surface);
    this.uniforms.gridColour.value.set(grid);
  }
}

/** Its places are yet to be set. */
function discOf(normal: Vector3): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * sides), 3));
  geometry.setAttribute("normal", new BufferAttribute(Float32Array.from({ length: 3 * sides }, (_, i) => normal.getComponent(i % 3)), 3));
  geometry.setIndex(Array.from({ length: sides - 2 }, (_, i) => [0, i + 1, i + 2]).flat());
  return geometry;
}

/** The direction in the plane nearest to a world axis, so that grids lie along the axes where they can. */
function alignedAxis(normal: Vector3, fallback: Vector3): Vector3 {
  for (const axis of [new Vector3(1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, 1, 0)]) {
    const inPlane = axis.clone().addScaledVector(normal, -axis.dot(normal));
    if (inPlane.length() > 0.5) return inPlane.normalize();
  }
  return fallback;
}

// Where a point of the ground is in the grid, in the map of the shadow, and in the disc.
const placeNames = /* glsl */ `
uniform vec3 gridOrigin, gridU, gridV, fadeCentre;
uniform float gridSpacing, fadeRadius;
uniform mat4 toShadow;
varying vec2 gridPlace, shadowPlace;
varying vec3 discPlace;`;

const placeBody = /* glsl */ `
{
  vec4 place = modelMatrix * vec4(transformed, 1.0);
  vec3 from = place.xyz - gridOrigin;
  gridPlace = vec2(dot(from, gridU), dot(from, gridV)) / gridSpacing;
  shadowPlace = 0.5 + 0.5 * (toShadow * place).xy;
  discPlace = (place.xyz - fadeCentre) / fadeRadius;
}`;

const gridFunctions = /* glsl */ `
varying vec2 gridPlace, shadowPlace;
varying vec3 discPlace;
uniform vec3 gridColour;
uniform float shadowStrength;
uniform sampler2D shadowUnder;
// span: of a pixel
float gridLine(vec2 place, vec2 span, float width) {
  vec2 distance = abs(fract(place - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(width - 0.5, width + 0.5, distance / span);
  // where lines come closer than a few pixels they would shimmer
  line *= 1.0 - smoothstep(vec2(0.15), vec2(0.45), span);
  return max(line.x, line.y);
}`;

const gridBody = /* glsl */ `
{
  vec2 span = fwidth(gridPlace);
  float line = max(0.35 * gridLine(gridPlace, span, 0.5), 0.8 * gridLine(0.2 * gridPlace, 0.2 * span, 0.75));
  outgoingLight = mix(outgoingLight, gridColour, line * 0.55);
  if (shadowStrength > 0.0 && all(greaterThan(shadowPlace, vec2(0.0))) && all(lessThan(shadowPlace, vec2(1.0))))
    outgoingLight *= 1.0 - shadowStrength * texture2D(shadowUnder, shadowPlace).r;
  diffuseColor.a *= 1.0 - smoothstep(0.45, 1.0, length(discPlace));
}`;

/** 1, 2 or 5 times a power of ten, not larger than `length`. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * (length / power >= 5 ? 5 : length / power >= 2 ? 2 : 1);
}
