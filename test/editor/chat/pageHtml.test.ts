// The HTML of the chat page: its content security policy, whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Uri, Webview } from 'vscode'
import { Uri as FakeUri, withFakeVscode } from '../../support/fakeVscode.ts'

const { pageHtml } = await withFakeVscode(() => import('../../../src/editor/chat/pageHtml.ts'))

const webview = { cspSource: 'https://own.example', asWebviewUri: (uri: unknown) => uri } as Webview // as: it takes no more.
const html = () => pageHtml(webview, FakeUri.parse('/extension') as unknown as Uri, { page: 'p', formers: [] })

test('the page may run the script with its nonce, load its own files, and nothing else', () => {
  const text = html()
  const nonce = /<script nonce="([0-9a-f]{32})"/.exec(text)?.[1]
  assert.ok(nonce)
  const policies = [...text.matchAll(/http-equiv="Content-Security-Policy" content="([^"]*)"/g)].map(([, all]) => all)
  assert.deepEqual(policies, [
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src https://own.example; font-src https://own.example; ` +
      `img-src https://own.example data:; connect-src 'none'; frame-src 'none'; object-src 'none'; ` +
      `form-action 'none'; base-uri 'none'`,
  ])
})

test('each page has a nonce of its own', () => {
  const nonceOf = (text: string) => /nonce-([0-9a-f]+)/.exec(text)?.[1]
  assert.notEqual(nonceOf(html()), nonceOf(html()))
})
