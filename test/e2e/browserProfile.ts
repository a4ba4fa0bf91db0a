// The browser profile in which a worker opens all its windows, and the ports that keep its compiled scripts of use.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { cachedScripts, launchProfile, quickScripts } from '../editor/chromium.ts'
import { stillProgress, windowContext } from '../editor/workbench.ts'
import { removeAtEnd } from '../support/processGroup.ts'

export async function launchEditorProfile(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-profile-'))
  removeAtEnd(folder)
  const profile = await launchProfile(folder, {
    ...windowContext,
    args: [quickScripts, cachedScripts],
  })
  await profile.addInitScript(stillProgress)
  profile.setDefaultTimeout(30_000) // long enough for a machine that is busy with other things
  return profile
}

const stored = 'file_systems,indexeddb,local_storage,service_workers,cache_storage'

/** Removes what the pages at this address have stored; none of them may be open. */
export async function forgetPages(profile: BrowserContext, origin: string): Promise<void> {
  const page = profile.pages()[0] ?? (await profile.newPage())
  const devTools = await profile.newCDPSession(page)
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: stored })
  await devTools.detach()
}

/**
 * A free port for an editor of a worker, the same for all that follow each other there: the browser finds the compiled
 * scripts of an address again. Below those that the system gives away, so that nobody takes it in between.
 */
export async function editorPort(kind: 'shared' | 'own', parallelIndex: number): Promise<number> {
  const from = (kind === 'shared' ? 20_000 : 25_000) + parallelIndex * 1_000 + (process.ppid % 1_000)
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
