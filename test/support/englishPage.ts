// The page's sentences in English, as the extension makes them where there is no translation, and parts of its HTML.
import { Words } from '../../src/webview/words.ts'
import { withFakeVscode } from './fakeVscode.ts'

const { pageText } = await withFakeVscode(() => import('../../src/editor/chat/pageText.ts'))

export const { messagesElement, pagePolicy, stylesElement, textElement } = await withFakeVscode(
  () => import('../../src/editor/chat/pageHtml.ts'),
)
export const englishText = pageText()
export const englishWords = new Words(englishText)
