// Tests that all have to fail: each puts a secret where the sweep after an e2e test finds it. Run by sweep.e2e.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import type { Editor } from '../editor/codeServer.ts'
import { test } from './fixtures.ts'

/** The sweep reports the beginning of what it found, so the place is there. */
const secret = (place: string) => `sk-bf-${place}-planted`

test.describe('planted', () => {
  test.fail()

  /** A page of the editor's own origin, which is there at once. */
  async function plainPage(context: BrowserContext, editor: Editor) {
    const page = await context.newPage()
    await page.goto(`${editor.url}/manifest.json`)
    return page
  }

  test('in the local storage', async ({ context, editor }) => {
    const page = await plainPage(context, editor)
    await page.evaluate(`localStorage.setItem('state', ${JSON.stringify(secret('storage'))})`)
  })

  test('in a database of the browser', async ({ context, editor }) => {
    const page = await plainPage(context, editor)
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

  test('in a cookie', async ({ context, editor }) => {
    await context.addCookies([{ name: 'state', value: secret('cookie'), url: editor.url }])
  })

  test('in the page', async ({ context, editor }) => {
    const page = await plainPage(context, editor)
    await page.evaluate(`document.documentElement.append(${JSON.stringify(secret('page'))})`)
  })

  test('in a frame of the page', async ({ context, editor }) => {
    const page = await plainPage(context, editor)
    await page.evaluate(`{
      const frame = document.createElementNS('http://www.w3.org/1999/xhtml', 'iframe')
      document.documentElement.append(frame)
      frame.contentDocument.body.append(${JSON.stringify(secret('frame'))})
    }`)
  })

  test('in the clipboard', async ({ context, editor }) => {
    const page = await plainPage(context, editor)
    await page.bringToFront()
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(secret('clipboard'))})`)
  })

  test('in a file of the editor, and in a call of the service', async ({ editor, service }) => {
    writeFileSync(join(editor.userDataDir, 'User', 'planted.json'), JSON.stringify({ kept: secret('file') }))
    await fetch(`${service.baseUrl}/v1/${secret('call')}`)
  })

  test('in a request to the model, as a canary of the workspace', async ({ canaries, service }) => {
    const content = Buffer.from(canaries.add('workspace')).toString('base64')
    const body = JSON.stringify({ model: service.model, messages: [{ role: 'user', content }] })
    await fetch(`${service.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
  })
})
