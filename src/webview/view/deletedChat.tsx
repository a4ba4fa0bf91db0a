// `DeletedChat`: the notice that chats were deleted.
import { clip, sanitizeLine } from '../../base/text.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import { UndoNotice } from './undoNotice.tsx'
import { useWords } from './wordsContext.ts'

const titleChars = 40

export function DeletedChat({ history }: { readonly history: HistoryStore }) {
  const words = useWords()
  const { value: deleted } = history.deleted
  const [first] = deleted
  if (!first) return null
  const { length: count } = deleted
  const title = clip(sanitizeLine(first.title), titleChars) || words.of('untitled')
  const text = count === 1 ? words.of('chatDeleted', { title }) : words.of('chatsDeleted', { count })
  return (
    <UndoNotice
      text={text}
      onUndo={() => history.undoDelete()}
      onClose={() => history.forgetDeleted()}
      className="deleted-chat"
    />
  )
}
