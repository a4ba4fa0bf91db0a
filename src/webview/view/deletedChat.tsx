// `DeletedChat`: the notice that chats were deleted.
import { useEffect } from 'preact/hooks'
import { clip, sanitizeLine } from '../../base/text.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import { UndoNotice } from './undoNotice.tsx'
import { useWords } from './wordsContext.ts'

const titleChars = 40

interface Props {
  readonly history: HistoryStore
  /** The user has gone on to something else; the chats are among the recently deleted ones. */
  readonly isOver?: boolean
}

export function DeletedChat({ history, isOver = false }: Props) {
  const words = useWords()
  const { value: deleted } = history.deleted
  useEffect(() => {
    if (isOver) history.forgetDeleted()
  }, [isOver])
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
