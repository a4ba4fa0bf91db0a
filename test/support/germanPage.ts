// The page's sentences in German, as the extension makes them in an editor whose display language is German.
import { readFileSync } from 'node:fs'
import { l10n, withFakeVscode } from './fakeVscode.ts'

const { pageText } = await withFakeVscode(() => import('../../src/editor/chat/pageText.ts'))

l10n.bundle = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'))
export const germanText = pageText()
l10n.bundle = undefined
