import {
  Matrix4,
  Light,
  MeshDepthMaterial,
  Mesh,
  NoBlending,
  Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  WebGLProgramParametersWithUniforms,
  WebGLRenderer,
  WebGLRenderTarget,
} from "three";

/** Of the map that bodies are drawn into, and of the blurred ones. */
const pixels = 256;
const blurredPixels = 128;
/** Of the scene: how far above the ground a body still darkens it, and how far the darkness spreads. */
const reachShare = 0.16;
const spread = 0.022;

/** What a ground needs to draw the shadow: where it is in the map. */
export interface ShadowMap {
  map: { value: WebGLRenderTarget["texture"] };
  toMap: { value: Matrix4 };
}

/** Depth from below as darkness, most where a body touches the ground. */
function darkness(shader: WebGLProgramParametersWithUniforms): void {
  shader.fragmentShader = shader.fragmentShader.replace(
    "gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );",
    "float near = clamp(1.0 - fragCoordZ, 0.0, 1.0); gl_FragColor = vec4(vec3(near * near), 1.0);",
  );
}

/** `shape`: changes the vertices as the body's own material does. */
export function darknessMaterial(shape: (shader: WebGLProgramParametersWithUniforms) => void = () => {}): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ blending: NoBlending });
  material.onBeforeCompile = (shader) => {
    shape(shader);
    darkness(shader);
  };
  return material;
}

/**
 * The soft darkness under bodies that touch a ground or nearly do: they are seen from below, the nearer the darker, and
 * blurred. Made anew when bodies move, not when the camera does.
 */
export class ContactShadow {
  readonly uniforms: ShadowMap;
  private readonly camera = new OrthographicCamera();
  private readonly maps = [pixels, blurredPixels, blurredPixels].map((size) => new WebGLRenderTarget(size, size));
  private readonly blur = new ShaderMaterial({
    uniforms: { source: { value: this.maps[0].texture }, step: { value: new Vector2() } },
    depthTest: false,
    vertexShader: "varying vec2 place; void main() { place = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
    fragmentShader: `
uniform sampler2D source;
uniform vec2 step;
varying vec2 place;
void main() {
  float sum = 0.0, all = 0.0;
  for (int i = -4; i <= 4; ++i) {
    float weight = exp(-0.125 * float(i * i));
    sum += weight * texture2D(source, place + float(i) * step).r;
    all += weight;
  }
  gl_FragColor = vec4(vec3(sum / all), 1.0);
}`,
  });
  private readonly sheet = new Scene().add(new Mesh(new PlaneGeometry(2, 2), this.blur));

  constructor(private readonly renderer: WebGLRenderer) {
    this.sheet.children[0].frustumCulled = false;
    this.uniforms = { map: { value: this.maps[2].texture }, toMap: { value: new Matrix4() } };
  }

  /** Puts the map on a plane through `centre` with this normal, around a scene of this size [m]. */
  place(centre: Vector3, normal: Vector3, size: number): void {
    const { camera } = this;
    camera.left = camera.bottom = -0.75 * size;
    camera.right = camera.top = 0.75 * size;
    // a little below the ground: what rests on it may lie in it by the depth of its contacts
    camera.near = 0;
    camera.far = (reachShare + 0.01) * size;
    camera.position.copy(centre).addScaledVector(normal, -0.01 * size);
    camera.up.set(1, 0, 0).cross(normal).lengthSq() > 0.1 ? camera.up.set(1, 0, 0) : camera.up.set(0, 0, 1);
    camera.lookAt(camera.position.clone().add(normal));
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.uniforms.toMap.value.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  }

  /** `bodies`: each with the material that draws its darkness; all others are left out. */
  show(scene: Scene, bodies: Map<Object3D, MeshDepthMaterial>): void {
    const kept = scene.background;
    scene.background = null;
    const hidden: Object3D[] = [];
    const materials = new Map<Mesh, Mesh["material"]>();
    for (const object of scene.children) {
      const material = bodies.get(object);
      if (material && object instanceof Mesh) {
        materials.set(object, object.material);
        object.material = material;
      } else if (object.visible && !(object instanceof Light)) {
        // with other lights three.js would look for other shaders
        hidden.push(object);
        object.visible = false;
      }
    }
    this.draw(scene);
    for (const [mesh, material] of materials) mesh.material = material;
    for (const object of hidden) object.visible = true;
    scene.background = kept;
  }

  /** 0..1 of the whole map. */
  darkest(): number {
    const bytes = new Uint8Array(4 * blurredPixels * blurredPixels);
    this.renderer.readRenderTargetPixels(this.maps[2], 0, 0, blurredPixels, blurredPixels, bytes);
    let most = 0;
    for (let i = 0; i < bytes.length; i += 4) most = Math.max(most, bytes[i]);
    return most / 255;
  }

  private draw(scene: Scene): void {
    const { renderer, maps, blur, camera } = this;
    const { needsUpdate } = renderer.shadowMap;
    renderer.shadowMap.needsUpdate = false;
    renderer.setClearColor(0x000000, 1);
    renderer.setRenderTarget(maps[0]);
    renderer.render(scene, camera);
    [new Vector2(spread / 4, 0), new Vector2(0, spread / 4)].forEach((step, i) => {
      blur.uniforms.source.value = maps[i].texture;
      blur.uniforms.step.value = step;
      renderer.setRenderTarget(maps[i + 1]);
      renderer.render(this.sheet, camera);
    });
    renderer.setRenderTarget(null);
    renderer.shadowMap.needsUpdate = needsUpdate;
  }
}
