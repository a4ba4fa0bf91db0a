// Completions in the real editor while files are typed: how much of the right text is in sight, and what a key costs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { EditorHarness, withoutGit } from '../e2e/editorHarness.ts'
import { EditorWindows } from '../e2e/editorWindows.ts'
import { ServiceHarness } from '../e2e/serviceHarness.ts'
import { cachedScripts, launchChromium } from '../editor/chromium.ts'
import { closeFiles, goTo, openFile, statusBarItem, windowContext } from '../editor/workbench.ts'
import { percentile } from './numbers.ts'
import type { Row } from './row.ts'
import { TruthServer } from './truthServer.ts'
import { neededIntervals, possibleIntervals } from './typing/limits.ts'
import type { Key, Observation } from './typing/observation.ts'
import { readSources, type Source } from './typing/source.ts'
import { watchKeys } from './watchKeys.ts'

const KEY_MS = 150
const KEYS = 250
const COST_KEYS = 60
const oracle = { firstTokenMs: 300, tokensPerSecond: 100 }
/** Blocks of other languages end with a bracket that the editor puts below the cursor by itself. */
const languages = ['python']
const large = [
  { name: 'a small file', path: 'small.py', text: 'value = 1\n' },
  { name: '50 MB', path: 'large.txt', text: `${'x'.repeat(99)}\n`.repeat(500_000) },
  { name: 'a line of 1 MB', path: 'long.txt', text: 'x'.repeat(1_000_000) },
]

export async function editorTyping(): Promise<Row[]> {
  await using model = await TruthServer.start(oracle)
  await using service = await ServiceHarness.start({ upstream: { url: model.url, model: 'truth' } })
  await using harness = await EditorHarness.start({ builtIn: withoutGit }, 0)
  const browser = await launchChromium({ args: [cachedScripts] })
  try {
    const windows = new EditorWindows(await browser.newContext(windowContext), harness, service)
    const settings = { 'kourier.baseUrl': service.service.baseUrl, 'workbench.editorLargeFileConfirmation': 100 }
    await windows.prepare(settings)
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    await page.evaluate(watch)
    const { workspace } = harness.editor
    const rows = await visibleRows(page, workspace, model)
    const on = await costs(page, workspace)
    harness.keep(page)
    await harness.useSettings({ ...settings, 'kourier.completions.enabled': { '*': false } })
    const off = await costs(page, workspace)
    return [...rows, ...large.flatMap(({ name }, at) => costRows(name, on[at] ?? [], off[at] ?? []))]
  } finally {
    await browser.close()
  }
}

async function visibleRows(page: Page, workspace: string, model: TruthServer): Promise<Row[]> {
  const sources = readSources().filter(({ language }) => languages.includes(language))
  let [visible, possible, needed, keys] = [0, 0, 0, 0]
  model.requests = 0
  for (const source of sources.map(beginningOf)) {
    model.text = source.text
    const { observation, seen } = await typed(page, workspace, source)
    const worth = neededIntervals(observation)
    needed += worth.length
    possible += possibleIntervals(observation, worth).length
    visible += worth.filter(({ index }) => seen[index]).length
    keys += observation.keys.length
  }
  const what = `editor, keys typed at ${KEY_MS} ms with a model of ${oracle.firstTokenMs} ms`
  return [
    { what: `${what}, right line in sight`, value: visible / possible, unit: `of limit (${needed} keys)` },
    { what: '  requests', value: (model.requests * 100) / keys, unit: 'per 100 keys' },
  ]
}

/** Its first lines that are typed. */
function beginningOf({ text, start, end, ...about }: Source): Source {
  const lineEnd = text.indexOf('\n', start + KEYS)
  return { ...about, text, start, end: lineEnd < 0 ? end : Math.min(end, lineEnd) }
}

interface Typed {
  readonly observation: Observation
  /** For each key, whether its line was whole before the next one. */
  readonly seen: readonly boolean[]
}

async function typed(page: Page, workspace: string, source: Source): Promise<Typed> {
  const { path, text, start, end } = source
  writeFileSync(join(workspace, path), text.slice(0, start) + text.slice(end))
  await openFile(page, path)
  await goTo(page, text.slice(0, start).split('\n').length, 1)
  const keys: Key[] = []
  const seen: boolean[] = []
  for (let offset = start; offset < end; ) {
    offset += await press(page, text, offset)
    const at = performance.now()
    keys.push({ at, offset, isMistaken: false, isChange: true })
    await page.waitForTimeout(KEY_MS - 10)
    seen.push((await page.evaluate<string>('lineInSight()')).trimEnd() === lineAt(text, offset).trimEnd())
  }
  await closeFiles(page)
  const endedAt = performance.now()
  const none = { requests: [], views: [], acceptances: [], surprises: [] }
  // as: of an observation the limits read this much.
  return { observation: { ...none, source, keys, endedAt, ...oracle } as unknown as Observation, seen }
}

/** Types what is at this place, with the indentation behind a line's end; returns how much that was. */
async function press(page: Page, text: string, offset: number): Promise<number> {
  const character = text[offset] ?? ''
  if (character !== '\n') {
    await page.keyboard.type(character)
    return 1
  }
  const indent = /^ */.exec(text.slice(offset + 1))?.[0].length ?? 0
  await page.keyboard.press('Enter')
  const given = await columnOf(page)
  if (given < indent) await page.keyboard.type(' '.repeat(indent - given))
  for (let left = given; left > indent; left = await columnOf(page)) await page.keyboard.press('Backspace')
  return 1 + indent
}

/** Characters before the cursor in its line, once the status bar has them. */
async function columnOf(page: Page): Promise<number> {
  await page.waitForTimeout(KEY_MS / 2)
  const place = await page.locator('#status\\.editor\\.selection').innerText()
  return Number(/Col (\d+)/.exec(place)?.[1] ?? 1) - 1
}

const lineAt = (text: string, offset: number) =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1, text.indexOf('\n', offset))

/** Milliseconds from each key to its paint, in each of the large files. */
async function costs(page: Page, workspace: string): Promise<number[][]> {
  const all: number[][] = []
  for (const { path, text } of large) {
    writeFileSync(join(workspace, path), text)
    await openFile(page, path)
    await goTo(page, 1, 10_000)
    await page.evaluate('void keys.splice(0)')
    for (let at = 0; at < COST_KEYS; at++) {
      await page.keyboard.type('abcdefghi '[at % 10] ?? ' ')
      await page.waitForTimeout(KEY_MS)
    }
    all.push(await page.evaluate<number[]>('keys.splice(0)'))
    await closeFiles(page)
  }
  return all
}

function costRows(name: string, on: readonly number[], off: readonly number[]): Row[] {
  return [
    { what: `editor, key to paint in ${name}, p95`, value: percentile(on, 0.95), unit: `ms (of ${on.length})` },
    { what: '  of that without completions, p50', value: percentile(on, 0.5) / percentile(off, 0.5), unit: 'ratio' },
    { what: '  and p95', value: percentile(on, 0.95) / percentile(off, 0.95), unit: 'ratio' },
  ]
}

const watch = `
  ${watchKeys}
  // The line that has grey text, with it; nothing where there is none.
  globalThis.lineInSight = () => {
    // Further lines of a suggestion are no lines of the file: they are drawn below, and before them in the document.
    const part = document.querySelector(
      '.view-lines :is(.ghost-text-decoration, .ghost-text-decoration-preview, .ghost-text)')
    return part?.closest('.view-line')?.textContent.replaceAll('\\u00a0', ' ') ?? ''
  }
`
