// `editorCodec`: text from bytes and bytes from text, in the encoding that the editor has for the file.
import { Uri, workspace } from 'vscode'

type MarkedEncoding = 'utf8' | 'utf16le' | 'utf16be' | undefined

export const editorCodec = {
  async decode(bytes: Uint8Array, uri: string, marked: MarkedEncoding): Promise<string> {
    return marked
      ? workspace.decode(bytes, { encoding: marked })
      : workspace.decode(bytes, { uri: Uri.parse(uri, true) })
  },

  /** Without a byte order mark. */
  async encode(text: string, uri: string, marked: MarkedEncoding): Promise<Uint8Array> {
    const bytes = await (marked
      ? workspace.encode(text, { encoding: marked })
      : workspace.encode(text, { uri: Uri.parse(uri, true) }))
    return bytes.subarray(markLength(bytes, text))
  },
}

function markLength([a, b, c]: Uint8Array, text: string): number {
  if (text.startsWith('\ufeff')) return 0
  if (a === 0xef && b === 0xbb && c === 0xbf) return 3
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 2 : 0
}
