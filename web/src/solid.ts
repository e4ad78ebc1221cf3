import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Material,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from "three";
import { BodyFrame, Mesh as MeshData } from "./replay";
import { isClosed, SplitSurface, splitAtCreases, writeNormals } from "./surface";

/** Where a plane cuts a closed surface its far side is seen from within: as one flat colour it looks like the face of the cut. */
const capOfCut = "if (!gl_FrontFacing) outgoingLight = inside;";

/** A body with a surface: posed as a whole, or with points that move each by themselves. */
export class Solid {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private split: SplitSurface | null = null;
  private readonly inside: { value: Color };
  /** Whether the frame has it. */
  private present = true;

  constructor(
    private readonly data: MeshData,
    readonly base: Color,
  ) {
    this.inside = { value: base.clone() };
    const material = new MeshLambertMaterial({ color: base });
    if (isClosed(data.triangles)) this.capCuts(material);
    else material.side = DoubleSide;
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    if (data.vertices.length > 0) this.build(data.vertices);
  }

  private capCuts(material: MeshLambertMaterial): void {
    material.onBeforeCompile = (shader) => {
      shader.uniforms.inside = this.inside;
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nuniform vec3 inside;")
        .replace("#include <opaque_fragment>", `${capOfCut}\n#include <opaque_fragment>`);
    };
  }

  get posed(): boolean {
    return this.data.vertices.length > 0;
  }

  /** Of the square that stands for a plane. */
  get corners(): Vector3[] | null {
    if (!this.posed || this.data.vertices.length !== 12) return null;
    return [0, 1, 2, 3].map((i) => new Vector3().fromArray(this.data.vertices, 3 * i));
  }

  /** In the world. */
  get centre(): Vector3 | null {
    const { geometry, matrixWorld } = this.mesh;
    return geometry.boundingSphere && geometry.boundingSphere.center.clone().applyMatrix4(matrixWorld);
  }

  /** 1 solid; 0 not drawn. `shades`: whether it still throws a shadow. None falls on what can hardly be seen. */
  setOpacity(opacity: number, shades: boolean): void {
    setMaterialOpacity(this.mesh.material, opacity);
    this.mesh.receiveShadow = opacity > 0.5;
    this.mesh.visible = this.present && opacity > 0;
    this.mesh.castShadow = shades && this.mesh.material.visible;
  }

  show(frame: BodyFrame): void {
    this.present = frame.pose !== null || frame.points !== null;
    this.mesh.visible = this.present;
    if (frame.pose) {
      const p = frame.pose;
      this.mesh.position.set(p[0], p[1], p[2]);
      this.mesh.quaternion.copy(new Quaternion(p[4], p[5], p[6], p[3]));
      this.mesh.updateMatrixWorld();
    }
    if (frame.points) {
      const { q, min, step, count } = frame.points;
      const x = new Float32Array(3 * count);
      for (let i = 0; i < count; ++i) for (let a = 0; a < 3; ++a) x[3 * i + a] = min[a] + step[a] * q[4 * i + a];
      if (!this.split) this.build(x);
      else this.move(x);
    }
  }

  /** Colours of all points, three numbers each; null: the plain one, which is that of the inside too. */
  paint(colours: Float32Array | null, plain: Color): void {
    const { geometry, material } = this.mesh;
    material.color.copy(colours ? new Color(1, 1, 1) : plain);
    this.inside.value.copy(plain);
    if (material.vertexColors !== (colours !== null)) {
      material.vertexColors = colours !== null;
      material.needsUpdate = true;
    }
    if (!colours || !this.split) return;
    const { pointOf } = this.split;
    let attribute = geometry.getAttribute("color") as BufferAttribute | undefined;
    if (!attribute) {
      attribute = new BufferAttribute(new Float32Array(3 * pointOf.length), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute("color", attribute);
    }
    const array = attribute.array as Float32Array;
    for (let i = 0; i < pointOf.length; ++i) for (let c = 0; c < 3; ++c) array[3 * i + c] = colours[3 * pointOf[i] + c];
    attribute.needsUpdate = true;
  }

  get pointCount(): number {
    return this.posed ? this.data.vertices.length / 3 : this.split ? Math.max(...this.split.pointOf) + 1 : 0;
  }

  /** In its own frame; only for posed bodies. */
  get ownVertices(): Float32Array {
    return this.data.vertices;
  }

  private build(x: Float32Array): void {
    this.split = splitAtCreases(x, this.data.triangles);
    const { geometry } = this.mesh;
    const corners = this.split.pointOf.length;
    for (const name of ["position", "normal"])
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * corners), 3).setUsage(DynamicDrawUsage));
    geometry.setIndex(new BufferAttribute(this.split.index, 1));
    this.move(x);
  }

  private move(x: Float32Array): void {
    const { pointOf, index } = this.split!;
    const { geometry } = this.mesh;
    const position = geometry.getAttribute("position") as BufferAttribute;
    const normal = geometry.getAttribute("normal") as BufferAttribute;
    const array = position.array as Float32Array;
    for (let i = 0; i < pointOf.length; ++i) for (let a = 0; a < 3; ++a) array[3 * i + a] = x[3 * pointOf[i] + a];
    writeNormals(array, index, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = true;
    geometry.computeBoundingSphere();
  }
}

/** What is nearly clear hides nothing behind it. */
export function setMaterialOpacity(material: Material, opacity: number): void {
  const transparent = opacity < 1;
  if (material.transparent !== transparent) material.needsUpdate = true;
  material.transparent = transparent;
  material.opacity = opacity;
  material.depthWrite = opacity > 0.5;
}
