// `Deleted`: the notice that messages or summaries were deleted.
import type { Store } from '../state/store.ts'
import { UndoNotice } from './undoNotice.tsx'
import { useWords } from './wordsContext.ts'

export function Deleted({ store }: { store: Store }) {
  const words = useWords()
  const { value: deleted } = store.deleted
  const [first] = deleted
  if (!first) return null
  const { length: count } = deleted
  const one = words.of(first.is === 'turn' ? 'messageDeleted' : 'summaryRemoved')
  const text = count === 1 ? one : words.of('severalDeleted', { count })
  return <UndoNotice text={text} onUndo={() => store.undoDelete()} onClose={() => store.forgetDeleted()} />
}
