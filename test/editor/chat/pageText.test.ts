// The page's sentences: complete, each with its placeholders, and safe in the HTML that takes them to the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webview } from 'vscode'
import { durationOf } from '../../../src/base/text.ts'
import { placeholders } from '../../../src/protocol/pageText.ts'
import { Words } from '../../../src/webview/words.ts'
import { englishText, englishWords, textElement } from '../../support/englishPage.ts'
import { pageOptions } from '../../support/fakePage.ts'
import { l10n, withFakeVscode } from '../../support/fakeVscode.ts'

const { pageHtml } = await withFakeVscode(() => import('../../../src/editor/chat/pageHtml.ts'))
const { localDuration } = await withFakeVscode(() => import('../../../src/editor/ui/localDuration.ts'))

const webview = { cspSource: 'own', asWebviewUri: (uri: unknown) => uri } as Webview // The other members have no part in it.
const html = () => pageHtml(webview, { ...pageOptions, page: 'p', formers: [], first: [] })
const read = (text: string): unknown => JSON.parse(/<script id="text"[^>]*>(.*)<\/script>/.exec(text)?.[1] ?? '')

test('every sentence has the placeholders that its name has, and no other', () => {
  const found = Object.entries(englishText).map(([name, text]) => [
    name,
    [...text.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder),
  ])
  assert.deepEqual(Object.fromEntries(found), placeholders)
})

test('the HTML has every sentence before the script that draws the page', () => {
  assert.deepEqual(read(html()), englishText)
  assert.ok(html().indexOf('id="text"') < html().indexOf(pageOptions.files.script))
})

test('a translation with a tag in it does not end the element', () => {
  const text = { ...englishText, cancel: '</script><script>alert("&amp;")</script><!--' }
  const element = textElement(text)
  assert.equal(element.match(/</g)?.length, 2)
  assert.deepEqual(read(element), text)
})

test('the HTML is in the language of its sentences, which is that of the editor only where there is a translation', () => {
  assert.match(html(), /<html lang="en">/)
  l10n.bundle = { Cancel: 'Abbrechen' }
  assert.match(html(), /<html lang="de">/)
  l10n.bundle = undefined
})

test('a value comes where the sentence has its placeholder, and is no sentence itself', () => {
  const words = new Words({ ...englishText, signedInAs: '{email} ist bei {service} angemeldet' })
  assert.equal(words.of('signedInAs', { service: '{email}', email: '$&' }), '$& ist bei {email} angemeldet')
  assert.deepEqual(words.around('enterCode', { host: 1 }), ['Enter this code at ', 1, ''])
})

test('the page counts in the words of the editor', () => {
  for (const ms of [0, 7_000, 90_000, 120_000, 3_600_000, 7_200_001, 999_999_000]) {
    const { count, unit } = durationOf(ms)
    assert.equal(englishWords.of(unit, { count }), localDuration(ms))
  }
  const texts = [1_001, 119_001, 7_200_000, 99_999_999_000].map(localDuration)
  assert.deepEqual(texts, ['2 s', '2 minutes', '2 hours', '1158 days'])
})
