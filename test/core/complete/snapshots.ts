// Documents for tests: the cursor is where `|` stands.
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'

export interface Look {
  readonly id?: string
  readonly path?: string
  readonly language?: string
  readonly version?: number
  readonly indent?: string
}

export function snapshotAt(marked: string, look: Look = {}): DocumentSnapshot {
  const offset = marked.indexOf('|')
  if (offset < 0) throw new Error('no cursor in the text')
  return {
    id: 'file:///work/src/a.ts',
    path: 'src/a.ts',
    language: 'typescript',
    version: marked.length,
    indent: '  ',
    ...look,
    text: marked.slice(0, offset) + marked.slice(offset + 1),
    offset,
  }
}
