// Attaches what is pasted, dropped or picked: images are scaled to what models take, rich text becomes Markdown.
import { sanitizeLine } from '../../base/text.ts'
import { markdownOfHtml } from '../markdown/markdownOfHtml.ts'
import type { Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { replaceText } from './replaceText.ts'
import { scaledImage } from './scaledImage.ts'

/** A larger text file is attached by its path, which the extension reads in part. */
const maxTextBytes = 500_000

export async function attachFiles(files: readonly File[], store: Store, words: Words): Promise<void> {
  const refusals: string[] = []
  for (const file of files) {
    const outcome = isPicture(file) ? await attachImage(file, store) : await attachText(file, store)
    if (outcome !== 'attached') refusals.push(words.of(outcome, { name: sanitizeLine(file.name, 120) }))
  }
  store.showRefusals(refusals)
}

/** A drawing in SVG is text, and no model takes it as an image. */
const isPicture = ({ type }: File) => type.startsWith('image/') && type !== 'image/svg+xml'

/** Else the sentence with the reason. */
type Outcome = 'attached' | 'notAttached' | 'notReadable'

async function attachImage(file: File, store: Store): Promise<Outcome> {
  const image = await scaledImage(file)
  if (image) store.attachImage({ name: file.name, ...image })
  return image ? 'attached' : 'notAttached'
}

async function attachText(file: File, store: Store): Promise<Outcome> {
  if (file.size > maxTextBytes) return 'notAttached'
  const text = await file.text().catch(() => undefined)
  if (text === undefined) return 'notReadable'
  // A zero byte is in no text.
  if (text.includes('\0') || text === '') return 'notAttached'
  store.attachText(file.name, text)
  return 'attached'
}

/** The lists of the editor's own tree and tabs first: they name files that the page cannot read. */
export function onDrop(event: DragEvent, store: Store, words: Words): void {
  const data = event.dataTransfer
  if (!data) return
  const uris = urisOf(data)
  if (uris.length === 0 && data.files.length === 0) return
  event.preventDefault()
  if (uris.length > 0) store.attachUris(uris)
  else void attachFiles([...data.files], store, words)
}

function urisOf(data: DataTransfer): string[] {
  const list = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list')
  const lines = list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  return [...new Set(lines)].filter(line => URL.canParse(line)).slice(0, 200)
}

export function onPaste(event: ClipboardEvent, store: Store, words: Words): void {
  const data = event.clipboardData
  const box = event.currentTarget
  if (!data || !(box instanceof HTMLTextAreaElement)) return
  const images = [...data.files].filter(({ type }) => type.startsWith('image/'))
  const html = data.getData('text/html')
  // The editor's own text is code and has no other form.
  const isCode = data.types.includes('vscode-editor-data')
  if (images.length > 0 && data.getData('text/plain') === '') {
    event.preventDefault()
    void attachFiles(images, store, words)
  } else if (html !== '' && !isCode) {
    const markdown = markdownOfHtml(html)
    if (markdown === undefined) return
    event.preventDefault()
    replaceText(box, box.selectionStart, box.selectionEnd, markdown)
  }
}
