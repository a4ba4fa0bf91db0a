// What an inline item shows in a document, and how much of it is what the file has.
import type { InlineItem } from './editorShim.ts'
import type { FakeDocument } from './fakeDocument.ts'
import type { View } from './observation.ts'

export function viewOf(
  item: InlineItem | undefined,
  { text, cursor }: Pick<FakeDocument, 'text' | 'cursor'>,
  truth: string,
): Omit<View, 'at' | 'key'> {
  if (!item) return { ghost: '', isCorrect: false, trueLength: 0, isTrue: false, request: undefined }
  const shown = item.text.slice(cursor - item.start)
  const line = firstLine(text.slice(lineStart(text, cursor), cursor) + shown + text.slice(item.end))
  const trueLine = firstLine(truth.slice(lineStart(truth, cursor)))
  const isBeginning = truth.startsWith(text.slice(0, cursor))
  const ghost = firstLine(shown)
  const trueLength = isBeginning ? sharedLength(shown, truth.slice(cursor, cursor + shown.length)) : 0
  return {
    ghost,
    isCorrect: isBeginning && ghost !== '' && line.trimEnd() === trueLine.trimEnd(),
    trueLength,
    isTrue: trueLength > 0 && trueLength >= shown.trimEnd().length,
    request: item.request,
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length++
  return length
}
