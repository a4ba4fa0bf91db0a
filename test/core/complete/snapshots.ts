// Documents for tests: the cursor is at the `|`.
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { EditLog } from '../../../src/core/workspace/editLog.ts'

export interface Look {
  readonly id?: string
  readonly path?: string
  readonly language?: string
  readonly version?: number
  readonly indent?: string
  readonly log?: EditLog
}

export function snapshotAt(marked: string, look: Look = {}): DocumentSnapshot {
  const offset = marked.indexOf('|')
  if (offset < 0) throw new Error('no cursor in the text')
  return snapshotOf(marked.slice(0, offset) + marked.slice(offset + 1), offset, { version: marked.length, ...look })
}

export function snapshotOf(text: string, offset: number, look: Look = {}): DocumentSnapshot {
  const version = look.version ?? text.length
  return {
    id: 'file:///work/src/a.ts',
    path: 'src/a.ts',
    isInWorkspace: true,
    language: 'typescript',
    version,
    log: EditLog.startingAt({ version, length: text.length, reason: 'opened' }),
    indent: '  ',
    ...look,
    text,
    offset,
  }
}
