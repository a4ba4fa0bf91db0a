// Tests that all fail: each puts a secret where the sweep of an e2e test has to find it. Started by sweep.e2e.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { World } from '../e2e/world.ts'

/** The sweep tells the beginning of what it found, so the place stands there. */
const secret = (place: string) => `sk-bf-${place}-planted`

describe('planted', () => {
  const world = new World()

  /** A page of the editor's own origin, which is there at once. */
  async function plainPage() {
    const page = await world.context.newPage()
    await page.goto(`${world.editor.url}/manifest.json`)
    return page
  }

  it('in the local storage', async () => {
    const page = await plainPage()
    await page.evaluate(`localStorage.setItem('state', ${JSON.stringify(secret('storage'))})`)
  })

  it('in a database of the browser', async () => {
    const page = await plainPage()
    await page.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('vscode-web-state-db-planted', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('ItemTable')
      opening.onerror = reject
      opening.onsuccess = () => {
        const writing = opening.result.transaction('ItemTable', 'readwrite')
        writing.objectStore('ItemTable').put(JSON.stringify({ kept: ${JSON.stringify(secret('database'))} }), 'memento')
        writing.oncomplete = () => { opening.result.close(); resolve() }
      }
    })`)
  })

  it('in a cookie', async () => {
    await world.context.addCookies([{ name: 'state', value: secret('cookie'), url: world.editor.url }])
  })

  it('in the page', async () => {
    const page = await plainPage()
    await page.evaluate(`document.documentElement.append(${JSON.stringify(secret('page'))})`)
  })

  it('in a frame of the page', async () => {
    const page = await plainPage()
    await page.evaluate(`{
      const frame = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe')
      document.documentElement.append(frame)
      frame.contentDocument.body.append(${JSON.stringify(secret('frame'))})
    }`)
  })

  it('in the clipboard', async () => {
    const page = await plainPage()
    await page.bringToFront()
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(secret('clipboard'))})`)
  })

  it('in a file of the editor, and in a call of the service', async () => {
    writeFileSync(join(world.editor.userDataDir, 'User', 'planted.json'), JSON.stringify({ kept: secret('file') }))
    await fetch(`${world.service.baseUrl}/v1/${secret('call')}`)
  })
})
