// `pageBuild`: how the files of the chat page are built: the page, and what it loads at the first use.
import type { BuildOptions, Plugin } from 'esbuild'

/** From the plain face of the same font the browser makes these well enough, and they are over a quarter of what the fonts weigh. */
const derivedFaces =
  /KaTeX_(?:(?:Main|Math)-BoldItalic|SansSerif-(?:Bold|Italic)|Fraktur-Bold|Caligraphic-Bold)\.woff2$/

const withoutDerivedFaces: Plugin = {
  name: 'without derived faces',
  setup: build => build.onLoad({ filter: derivedFaces }, () => ({ contents: '', loader: 'empty' })),
}

/** The tests of the page build the same files. */
export const pageBuild: BuildOptions = {
  entryPoints: {
    page: 'src/webview/main.tsx',
    math: 'src/webview/math/typeset.ts',
    diagram: 'src/webview/diagram/drawDiagram.ts',
  },
  outdir: 'dist/page',
  bundle: true,
  platform: 'browser',
  target: 'es2024',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Mermaid reads a variable of its own as a property of `globalThis`, which it is only in a script that is not bundled.
  define: { 'globalThis.__esbuild_esm_mermaid_nm': '__esbuild_esm_mermaid_nm' },
  // Every editor reads woff2, so the older formats of the fonts are left out.
  loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
  assetNames: 'fonts/[name]',
  plugins: [withoutDerivedFaces],
}

/** Without what is left of the faces and formats that are left out. */
export const withoutEmptyUrls = (style: string) =>
  style
    .replaceAll(/@font-face\s*\{[^}]*url\(\) format\("woff2"\)[^}]*\}/g, '')
    .replaceAll(/,\s*url\(\) format\("(?:woff|truetype)"\)/g, '')
