// The page of the chat: its content security policy, whole, and what it may read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webview } from 'vscode'
import type { ToPage } from '../../../src/protocol/panel.ts'
import { pageIn, pageOptions } from '../../support/fakePage.ts'
import { withFakeVscode } from '../../support/fakeVscode.ts'
import { fakeWebviewView } from '../../support/fakeWebviewView.ts'

const { pageHtml } = await withFakeVscode(() => import('../../../src/editor/chat/pageHtml.ts'))

const webview = { cspSource: 'https://own.example', asWebviewUri: (uri: unknown) => uri } as Webview // as: it takes no more.
const html = () => pageHtml(webview, { ...pageOptions, page: 'p', formers: [], first: [] })

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

test('what the page is told in its HTML ends no element, whatever is in it', () => {
  const text = '</script><script>flag=1</script><!-- '
  const first: ToPage[] = [{ kind: 'model', id: text }]
  const page = pageHtml(webview, { ...pageOptions, page: 'p', formers: [], first })
  const json = /<script id="messages" type="application\/json">([^<]*)<\/script>/.exec(page)?.[1]
  assert.deepEqual(JSON.parse(json ?? ''), first)
})

test('the page may read the folder of its own files, and nothing else of the extension', () => {
  const { webview } = fakeWebviewView(() => {}).view
  pageIn(webview)
  const { localResourceRoots = [], ...others } = webview.options
  assert.deepEqual(localResourceRoots.map(String), ['/extension/dist/page'])
  assert.deepEqual(others, { enableScripts: true, enableCommandUris: false, enableForms: false })
  assert.match(webview.html, / data-files="\/extension\/dist\/page\/"/)
  assert.doesNotMatch(webview.html, /(?:src|href)=/)
})

test('the script stands in the page as it is, and the styles as a text that ends no element', () => {
  const text = html()
  assert.ok(text.includes(`>${pageOptions.files.script}</script>`))
  const styles = /<script id="styles" type="application\/json">([^<]*)<\/script>/.exec(text)?.[1]
  assert.equal(JSON.parse(styles ?? ''), pageOptions.files.styles)
})
