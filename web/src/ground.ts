import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshLambertMaterial, Vector3 } from "three";
import { ShadowMap } from "./contact_shadow";

/** Faces of bodies that lie in it are seen. */
const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

/** A flat surface with a grid of stated spacing that fades out around the scene. */
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

  /** `corners`: four, in order around the plane. */
  constructor(corners: Vector3[], spacing: number, fadeCentre: Vector3, fadeRadius: number, shadow: ShadowMap) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flatMap((c) => c.toArray())), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.computeVertexNormals();
    const u = corners[1].clone().sub(corners[0]).normalize();
    const normal = new Vector3().fromBufferAttribute(geometry.getAttribute("normal") as BufferAttribute, 0);
    this.uniforms.gridU.value.copy(alignedAxis(normal, u));
    this.uniforms.gridV.value.crossVectors(normal, this.uniforms.gridU.value);
    this.uniforms.gridSpacing.value = spacing;
    this.uniforms.fadeCentre.value.copy(fadeCentre);
    this.uniforms.fadeRadius.value = fadeRadius;
    this.material = new MeshLambertMaterial({ transparent: true, side: DoubleSide, ...behind });
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms, { shadowUnder: shadow.map, toShadow: shadow.toMap });
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 groundPosition;")
        .replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\ngroundPosition = (modelMatrix * vec4(transformed, 1.0)).xyz;",
        );
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\n${gridFunctions}`)
        .replace("#include <opaque_fragment>", `${gridBody}\n#include <opaque_fragment>`);
    };
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
  }

  /** Out of the body whose ground it is, in the world. */
  get normal(): Vector3 {
    const normal = new Vector3().fromBufferAttribute(this.mesh.geometry.getAttribute("normal") as BufferAttribute, 0);
    return normal.transformDirection(this.mesh.matrixWorld);
  }

  /** A point of it in the world. */
  get origin(): Vector3 {
    return new Vector3().fromBufferAttribute(this.mesh.geometry.getAttribute("position") as BufferAttribute, 0).applyMatrix4(this.mesh.matrixWorld);
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

  setColours(surface: string, grid: string): void {
    this.material.color.set(surface);
    this.uniforms.gridColour.value.set(grid);
  }
}

/** The direction in the plane nearest to a world axis, so that grids lie along the axes where they can. */
function alignedAxis(normal: Vector3, fallback: Vector3): Vector3 {
  for (const axis of [new Vector3(1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, 1, 0)]) {
    const inPlane = axis.clone().addScaledVector(normal, -axis.dot(normal));
    if (inPlane.length() > 0.5) return inPlane.normalize();
  }
  return fallback;
}

const gridFunctions = /* glsl */ `
varying vec3 groundPosition;
uniform vec3 gridOrigin, gridU, gridV, gridColour, fadeCentre;
uniform float gridSpacing, fadeRadius, shadowStrength;
uniform sampler2D shadowUnder;
uniform mat4 toShadow;
float gridLine(vec2 place, float width) {
  vec2 span = fwidth(place);
  vec2 distance = abs(fract(place - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(span * (width - 0.5), span * (width + 0.5), distance);
  // where lines come closer than a few pixels they would shimmer
  line *= 1.0 - smoothstep(vec2(0.15), vec2(0.45), span);
  return max(line.x, line.y);
}`;

const gridBody = /* glsl */ `
{
  vec3 from = groundPosition - gridOrigin;
  vec2 place = vec2(dot(from, gridU), dot(from, gridV)) / gridSpacing;
  float line = max(0.35 * gridLine(place, 0.5), 0.8 * gridLine(place / 5.0, 0.75));
  outgoingLight = mix(outgoingLight, gridColour, line * 0.55);
  vec2 under = 0.5 + 0.5 * (toShadow * vec4(groundPosition, 1.0)).xy;
  if (shadowStrength > 0.0 && all(greaterThan(under, vec2(0.0))) && all(lessThan(under, vec2(1.0))))
    outgoingLight *= 1.0 - shadowStrength * texture2D(shadowUnder, under).r;
  float away = length(groundPosition - fadeCentre) / fadeRadius;
  diffuseColor.a *= 1.0 - smoothstep(0.45, 1.0, away);
}`;

/** 1, 2 or 5 times a power of ten, not larger than `length`. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * (length / power >= 5 ? 5 : length / power >= 2 ? 2 : 1);
}
