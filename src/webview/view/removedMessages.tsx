// `RemovedMessages`: the notice that messages were removed from the queue.
import type { Store } from '../state/store.ts'
import { UndoNotice } from './undoNotice.tsx'
import { useWords } from './wordsContext.ts'

export function RemovedMessages({ store }: { store: Store }) {
  const words = useWords()
  const { length: count } = store.removed.value
  if (count === 0) return null
  const text = count === 1 ? words.of('removedFromQueueOne') : words.of('removedFromQueue', { count })
  return <UndoNotice text={text} onUndo={() => store.undoRemove()} onClose={() => store.forgetRemoved()} />
}
