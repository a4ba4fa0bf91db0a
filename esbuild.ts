// Builds the extension or its page into `dist`: `node esbuild.ts extension`, `node esbuild.ts page`; both take `--sourcemap`.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { pageBuild, withoutEmptyUrls } from './pageBuild.ts'

const [target, ...flags] = process.argv.slice(2)
const common: BuildOptions = { legalComments: 'none', logLevel: 'warning', sourcemap: flags.includes('--sourcemap') }
/** The oldest Node of the editors that the manifest admits. */
const extension: BuildOptions = { ...common, platform: 'node', target: 'node22.19' }
/** `import()` becomes `require`, because the editor loads extensions as CommonJS modules. */
const commonJs: BuildOptions = { format: 'cjs', minify: true, supported: { 'dynamic-import': false } }
/** The output of the first of two steps: ES modules, though their names already are those of the second. */
const modules = 'build/extension'

if (target === 'extension') await buildExtension()
else if (target === 'page') await buildPage()
else throw new Error(`"${target}" is not built here; name "extension" or "page".`)

/**
 * `extension.cjs` has all that the start of the editor loads, in one file, because each further file takes about a
 * millisecond. What the source imports with `import()` is in files of its own, which are loaded at their first use.
 */
async function buildExtension(): Promise<void> {
  mkdirSync('dist', { recursive: true })
  for (const name of filesIn('dist', /\.cjs(\.map)?$/)) rmSync(join('dist', name))
  rmSync(modules, { recursive: true, force: true })
  const atStart = modulesOfStart(await split())
  const all = filesIn(modules, /\.cjs$/)
  for (const name of all) keepZodOffGlobalScope(join(modules, name))
  const later = all.filter(name => !atStart.includes(name))
  await convert(later)
  await joinStart(atStart, later)
  await buildTokenizer()
  await buildThread('src/node/search/searchWorker.ts')
}

/** The thread that colours code, with what it reads. */
async function buildTokenizer(): Promise<void> {
  await buildThread('src/node/colour/tokenizeWorker.ts')
  compress('node_modules/vscode-oniguruma/release/onig.wasm')
}

/** A thread is a program of its own. */
async function buildThread(entry: string): Promise<void> {
  const outfile = join('dist', basename(entry).replace(/ts$/, 'cjs'))
  await build({ ...extension, ...commonJs, entryPoints: [entry], outfile, bundle: true })
}

/** One module for the start, one for each `import()`, and one for each set of modules that some of them share. */
async function split(): Promise<Metafile> {
  const { metafile } = await build({
    ...extension,
    entryPoints: { extension: 'src/main.ts' },
    outdir: modules,
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    external: ['vscode', '../llhttp/llhttp_simd-wasm.js'],
    define: {
      // undici has three parsers and needs one. This leaves out Milo, as in the build of undici that is part of Node,
      esbuildDetection: 'true',
      // and this selects the llhttp that every processor runs.
      'process.env.UNDICI_NO_WASM_SIMD': '"1"',
      'process.env.KOURIER_BASE_URL': JSON.stringify(process.env['KOURIER_BASE_URL'] ?? ''),
    },
  })
  return metafile
}

/** The modules that `extension.cjs` imports with `import` statements, directly or not; itself first. */
function modulesOfStart({ outputs }: Metafile): string[] {
  const found = [`${modules}/extension.cjs`]
  for (const path of found) {
    const statements = outputs[path]?.imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
    found.push(...(statements ?? []).map(one => one.path).filter(one => !found.includes(one)))
  }
  return found.map(path => basename(path))
}

/** zod keeps its settings in a property of `globalThis`, which all extensions of the editor share. */
function keepZodOffGlobalScope(path: string): void {
  const text = readFileSync(path, 'utf8')
  const declared = text.replace(/^\(_a\d* = globalThis\)\.__zod_globalConfig .*/m, 'var zodConfig = {};')
  writeFileSync(path, declared.replaceAll('globalThis.__zod_globalConfig', 'zodConfig'))
}

/** The modules that others import as well are the members `shared0`, `shared1`, … of its exports. */
async function joinStart([entry, ...shared]: readonly string[], later: readonly string[]): Promise<void> {
  const exports = shared.map((name, at) => `export * as shared${at} from './${name}'`)
  await build({
    ...extension,
    ...commonJs,
    stdin: { contents: `export * from './${entry}'\n${exports.join('\n')}`, resolveDir: modules },
    outfile: 'dist/extension.cjs',
    bundle: true,
    external: ['vscode', ...later.map(name => `./${name}`)],
    banner: { js: 'const vscode=require("vscode");' },
  })
  requireVscodeOnce()
  for (const name of later) {
    const path = join('dist', name)
    const text = shared.reduce(
      (text, module, at) => text.replaceAll(`require("./${module}")`, `require("./extension.cjs").shared${at}`),
      readFileSync(path, 'utf8'),
    )
    writeFileSync(path, text)
  }
}

/** For each `require` of its API the editor finds out which extension asks, which takes 0.1 ms. */
function requireVscodeOnce(): void {
  const path = 'dist/extension.cjs'
  const [first, ...rest] = readFileSync(path, 'utf8').split('require("vscode")')
  writeFileSync(path, `${first}require("vscode")${rest.join('vscode')}`)
}

async function convert(names: readonly string[]): Promise<void> {
  await build({
    ...extension,
    ...commonJs,
    entryPoints: names.map(name => join(modules, name)),
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
  })
}

/** By Brotli, which makes of code two thirds of what the package itself makes of it; for what is read by the extension. */
function compress(path: string): void {
  writeFileSync(join('dist', `${basename(path)}.br`), brotliCompressSync(readFileSync(path)))
}

/**
 * In a folder of its own, because the page may read all that is in it. Two of the files are packed as texts of its HTML,
 * two as what the extension sends it at their first use.
 */
async function buildPage(): Promise<void> {
  const folder = 'dist/page'
  rmSync(folder, { recursive: true, force: true })
  await build({ ...common, ...pageBuild, minify: true })
  const style = join(folder, 'math.css')
  writeFileSync(style, withoutEmptyUrls(readFileSync(style, 'utf8')))
  copyFileSync('media/chat.css', join(folder, 'chat.css'))
  for (const name of ['page.js', 'chat.css', 'math.js', 'diagram.js']) compress(join(folder, name))
}

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder).filter(name => pattern.test(name))
}
