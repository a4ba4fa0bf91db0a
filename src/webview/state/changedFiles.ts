// `openChanges`: the files of a conversation with changes that are neither kept nor undone.
import type { PartOf } from '../../protocol/conversation.ts'
import type { ConversationState, Turn } from '../../protocol/conversationState.ts'

export type ChangedFile = PartOf<'change-set'>['files'][number]

const known = new WeakMap<ReadonlyMap<string, Turn>, readonly ChangedFile[]>()

/** Each file once, with the counts of all its turns. Turns of other branches count, because their changes are there too. */
export function openChanges({ current, otherTurns }: ConversationState): readonly ChangedFile[] {
  const others = known.get(otherTurns) ?? joined([...otherTurns.values()].flatMap(openIn))
  known.set(otherTurns, others)
  const own = current ? openIn(current) : []
  return own.length > 0 ? joined([...others, ...own]) : others
}

function openIn({ steps }: Turn): ChangedFile[] {
  return steps.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'change-set' ? part.files.filter(({ review }) => review === 'open') : [])),
  )
}

function joined(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const found = new Map<string, ChangedFile>()
  for (const file of files) {
    const same = found.get(file.uri)
    const addedLines = (same?.addedLines ?? 0) + file.addedLines
    const removedLines = (same?.removedLines ?? 0) + file.removedLines
    found.set(file.uri, { ...file, addedLines, removedLines })
  }
  return [...found.values()]
}
