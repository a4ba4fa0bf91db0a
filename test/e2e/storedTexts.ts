// `storedTexts`, `untilStored`: what a window of the editor has stored in the browser; `unsentIn`: what the extension has.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'

/** All that the page's origin keeps in this browser, bytes as the text that they may be. */
export const storedTexts = (page: Page) => page.evaluate<string>(everythingStored)

/** The editor stores what an extension hands it a little later; a page that is reloaded before has lost it. */
export async function untilStored(page: Page, text: string): Promise<void> {
  await expect.poll(() => storedTexts(page), { timeout: 30_000 }).toContain(text)
}

/** The files of what is unsent, one after the other; `storage`: as `storageOf` returns it. */
export function unsentIn(storage: string): string {
  const files = globSync('unsent/*/*.json', { cwd: storage })
  return files.map(name => readFileSync(join(storage, name), 'utf8')).join('\n')
}

/** Run in a page. */
const everythingStored = `(async () => {
  const done = asked => new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  const rows = []
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      rows.push(name, store, await done(database.transaction(store).objectStore(store).getAll()))
    database.close()
  }
  const asText = (_, value) => (ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value)
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, rows], asText)
})()`
