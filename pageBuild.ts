// `pageBuild`: how the files of the chat page are built: the page, and what it loads at the first use.
import type { BuildOptions } from 'esbuild'

/** The tests of the page build the same files. */
export const pageBuild: BuildOptions = {
  entryPoints: { page: 'src/webview/main.tsx', math: 'src/webview/math/typeset.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'browser',
  target: 'es2024',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Every editor reads woff2, so the older formats of the fonts are left out.
  loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
  assetNames: 'fonts/[name]',
}

/** Without what is left of the fonts that are left out. */
export const withoutEmptyUrls = (style: string) => style.replaceAll(/,\s*url\(\) format\("(?:woff|truetype)"\)/g, '')
