import { defineConfig } from "vite";

// One file that needs nothing else: the script and the styles go into the page itself.
function singleFile() {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      const script = Object.values(bundle).find((file) => file.type === "chunk");
      const styles = Object.values(bundle).filter((file) => file.fileName.endsWith(".css"));
      const code = script.code.trim().replace(/<\/script/g, "<\\/script").replace(/<!--/g, "<\\!--");
      page.source = page.source
        .replace(/\s*<script[^>]*src=[^>]*><\/script>/, "")
        .replace(/\s*<link[^>]*stylesheet[^>]*>/, "")
        .replace("</head>", () => `<style>${styles.map((s) => s.source.trim()).join("")}</style>\n</head>`)
        .replace("</body>", () => `<script type="module">\n${code}\n</script>\n</body>`);
      page.fileName = "view.html";
      for (const file of [script, ...styles]) delete bundle[file.fileName];
    },
  };
}

// Chunks of three.js's shaders that no material of the page needs. Each is empty unless a feature is on that the page has
// not, or belongs to a material that it has not.
const unused = [
  /^(background|backgroundCube|cube|equirect|distance|linedashed|meshmatcap|meshnormal|meshphong|meshphysical|meshtoon|points|shadow|sprite)_(vert|frag)$/,
  /^(alphahash|alphamap|aomap|batching|bumpmap|clearcoat|cube_uv|displacementmap|dithering|emissivemap|envmap|fog|gradientmap)_/,
  /^(iridescence|lightmap|lightprobes|lights_phong|lights_physical|lights_toon|logdepthbuf|map|map_particle|metalnessmap)_/,
  /^(morph\w*|normal_fragment_maps|normalmap|roughnessmap|skin\w*|shadowmask|specularmap_pars|tonemapping|transmission|uv)(_|$)/,
  /^bsdfs$/,
];

// Shaders of three.js are texts, which the minifier leaves alone: unused ones become empty, lines lose the indentation.
function plainShaders() {
  const used = (line, name) => (unused.some((names) => names.test(name)) ? `\t${name}: "",` : line);
  return {
    name: "plain-shaders",
    transform(code, id) {
      if (!id.endsWith("/three/build/three.module.js")) return null;
      const chunks = /const ShaderChunk = \{[^}]*\}/;
      return { code: code.replace(chunks, (list) => list.replace(/^\t(\w+): .*$/gm, used)).replace(/\\n(\\t)+/g, "\\n"), map: null };
    },
  };
}

export default defineConfig({
  base: "./",
  build: {
    target: "es2021",
    outDir: process.env.VIEW_OUT_DIR ?? "dist",
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
  esbuild: { legalComments: "inline", charset: "ascii" },
  plugins: [plainShaders(), singleFile()],
});
