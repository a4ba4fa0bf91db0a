// The browser profile in which all windows of a test process open: each begins with nothing but what is compiled.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { BrowserContext } from '@playwright/test'
import { cachedScripts, launchProfile, quickScripts } from '../editor/chromium.ts'
import { stillProgress, windowContext } from '../editor/workbench.ts'
import { removeAtEnd } from '../support/processGroup.ts'

/** A name that leads to this machine, though a browser cannot know it: its pages are no secure ones. */
export const farHost = 'editor.test'

const stored = 'file_systems,indexeddb,local_storage,service_workers,cache_storage'
let launched: Promise<BrowserContext> | undefined
const ports = new Map<EditorKind, Promise<number>>()
after(async () => (await launched)?.close())

export function sharedProfile(): Promise<BrowserContext> {
  launched ??= launch()
  return launched
}

/** Forgets what the pages at this address, under each of its names, have left; none of them may be open. */
export async function forgetPages(url: string): Promise<void> {
  const profile = await sharedProfile()
  const page = profile.pages()[0] ?? (await profile.newPage())
  const devTools = await profile.newCDPSession(page)
  for (const origin of [url, url.replace('127.0.0.1', farHost)])
    await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: stored })
  await devTools.detach()
}

/** The one that serves all worlds that want nothing special, or one of the others, which follow each other. */
export type EditorKind = 'usual' | 'special'

/**
 * The port of every editor of its kind in this process: the browser knows a program again by its address. Below those
 * that the system gives away, so that nobody takes it in between.
 */
export function editorPort(kind: EditorKind): Promise<number> {
  const port = ports.get(kind) ?? freePort((kind === 'usual' ? 20_000 : 25_000) + (process.pid % 5_000))
  ports.set(kind, port)
  return port
}

async function launch(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-profile-'))
  removeAtEnd(folder)
  const profile = await launchProfile(folder, {
    ...windowContext,
    args: [`--host-resolver-rules=MAP ${farHost} 127.0.0.1`, quickScripts, cachedScripts],
  })
  await profile.addInitScript(stillProgress)
  profile.setDefaultTimeout(30_000) // long enough for a machine that is busy with other things
  return profile
}

async function freePort(from: number): Promise<number> {
  for (let candidate = from; candidate < from + 1_000; candidate++) if (await isFree(candidate)) return candidate
  throw new Error(`All ports from ${from} on are taken.`)
}

function isFree(candidate: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(candidate, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
