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

// Shaders of three.js are texts, which the minifier leaves alone: their lines lose the indentation.
function plainShaders() {
  return {
    name: "plain-shaders",
    transform: (code, id) => (id.includes("/three/build/") ? { code: code.replace(/\\n(\\t)+/g, "\\n"), map: null } : null),
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
