// `Deleted`: the notice that a message or a summary was deleted.
import type { Store } from '../state/store.ts'
import { UndoNotice } from './undoNotice.tsx'
import { useWords } from './wordsContext.ts'

export function Deleted({ store }: { store: Store }) {
  const words = useWords()
  const deleted = store.deleted.value
  if (deleted?.conversation !== store.conversation || !deleted) return null
  const text = words.of(deleted.is === 'turn' ? 'messageDeleted' : 'summaryRemoved')
  return <UndoNotice text={text} onUndo={() => store.undoDelete()} />
}
