// `DeletedChat`: the notice that a chat was deleted.
import { clip, sanitizeLine } from '../../base/text.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import { UndoNotice } from './undoNotice.tsx'
import { useWords } from './wordsContext.ts'

const titleChars = 40

export function DeletedChat({ history }: { readonly history: HistoryStore }) {
  const words = useWords()
  const deleted = history.deleted.value
  if (!deleted) return null
  const title = clip(sanitizeLine(deleted.title), titleChars) || words.of('untitled')
  return (
    <UndoNotice
      text={words.of('chatDeleted', { title })}
      onUndo={() => history.undoDelete()}
      onClose={() => history.forgetDeleted()}
      className="deleted-chat"
    />
  )
}
