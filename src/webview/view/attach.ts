// Attaches what is pasted, dropped or picked: images are scaled to what models take, rich text becomes Markdown.
import { sanitizeLine } from '../../base/text.ts'
import { markdownOfHtml } from '../markdown/markdownOfHtml.ts'
import type { Attachments } from '../state/attachments.ts'
import type { Words } from '../words.ts'
import { replaceText } from './replaceText.ts'
import { scaledImage } from './scaledImage.ts'

/** A larger text file is attached by its path, which the extension reads in part. */
const maxTextBytes = 500_000

/** A longer text that is pasted is attached: nobody edits it in the composer, which would be slow with it. */
const LONGEST_INLINE_CHARS = 50_000
/** The most that the extension takes. */
const LONGEST_ATTACHED_CHARS = 1_000_000

/** What attaching needs. `onRefusals`: why what was given was not attached, as sentences. */
export interface AttachTarget {
  readonly attachments: Attachments
  readonly words: Words
  readonly onRefusals: (sentences: readonly string[]) => void
}

export async function attachFiles(files: readonly File[], target: AttachTarget): Promise<void> {
  const { attachments, words, onRefusals } = target
  const refusals: string[] = []
  for (const file of files) {
    const outcome = isPicture(file) ? await attachImage(file, attachments) : await attachText(file, attachments)
    if (outcome !== 'attached') refusals.push(words.of(outcome, { name: sanitizeLine(file.name, 120) }))
  }
  onRefusals(refusals)
}

/** A drawing in SVG is text, and no model takes it as an image. */
const isPicture = ({ type }: File) => type.startsWith('image/') && type !== 'image/svg+xml'

/** Else the sentence with the reason. */
type Outcome = 'attached' | 'notAttached' | 'notReadable'

async function attachImage(file: File, attachments: Attachments): Promise<Outcome> {
  const image = await scaledImage(file)
  if (image) attachments.attachImage({ name: file.name, ...image })
  return image ? 'attached' : 'notAttached'
}

async function attachText(file: File, attachments: Attachments): Promise<Outcome> {
  if (file.size > maxTextBytes) return 'notAttached'
  const text = await file.text().catch(() => undefined)
  if (text === undefined) return 'notReadable'
  // A zero byte is in no text.
  if (text.includes('\0') || text === '') return 'notAttached'
  attachments.attachText(file.name, text)
  return 'attached'
}

/** Something that `takeDrop` takes: files, what the editor's tree and tabs name, or a link. */
export const holdsDrop = ({ types }: DataTransfer): boolean =>
  types.some(type => type === 'Files' || type === editorUris || type === 'text/uri-list')

/** The list of the editor's own tree and tabs. */
const editorUris = 'application/vnd.code.uri-list'

/** What the editor names first, because the page cannot read such files. A link of a browser becomes text. */
export function takeDrop(data: DataTransfer, box: HTMLTextAreaElement, target: AttachTarget): void {
  const uris = urisOf(data)
  const files = [...data.files]
  if (uris.length > 0) target.attachments.attachUris(uris)
  else if (files.length > 0) void attachFiles(files, target)
  else replaceText(box, box.selectionStart, box.selectionEnd, linkOf(data))
}

function urisOf(data: DataTransfer): string[] {
  const own = linesOf(data.getData(editorUris))
  const uris = own.length > 0 ? own : linesOf(data.getData('text/uri-list')).filter(isOfEditor)
  return [...new Set(uris)].filter(uri => URL.canParse(uri)).slice(0, 200)
}

/** A file of this machine, or a resource that the editor has a file system for, such as `vscode-remote`. */
const isOfEditor = (uri: string) => /^(?:file|vscode-[a-z-]+):/i.test(uri)

function linkOf(data: DataTransfer): string {
  const [address = ''] = linesOf(data.getData('text/uri-list'))
  return markdownOfHtml(data.getData('text/html')) ?? address
}

const linesOf = (list: string) => list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))

export function onPaste(event: ClipboardEvent, target: AttachTarget): void {
  const data = event.clipboardData
  const box = event.currentTarget
  if (!data || !(box instanceof HTMLTextAreaElement)) return
  const files = [...data.files]
  const html = data.getData('text/html')
  // The editor's own text is code and has no other form.
  const isCode = data.types.includes('vscode-editor-data')
  if (files.length > 0 && isOnlyNames(data.getData('text/plain'), files)) {
    event.preventDefault()
    void attachFiles(files, target)
    return
  }
  const markdown = html !== '' && !isCode ? markdownOfHtml(html) : undefined
  const text = markdown ?? data.getData('text/plain')
  if (text.length > LONGEST_INLINE_CHARS && text.length <= LONGEST_ATTACHED_CHARS) {
    event.preventDefault()
    target.attachments.attachText(target.words.of('pastedText'), text)
  } else if (markdown !== undefined) {
    event.preventDefault()
    replaceText(box, box.selectionStart, box.selectionEnd, markdown)
  }
}

/** Some systems give the name or the path of each copied file as text; a table has a picture beside its text. */
const isOnlyNames = (text: string, files: readonly File[]) =>
  linesOf(text).every(line => files.some(({ name }) => line === name || line.endsWith(`/${name}`)))
