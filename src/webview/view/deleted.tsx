// `Deleted`: the notice that a message or a summary was deleted, with a button that undoes that.
import type { Store } from '../state/store.ts'
import { useWords } from './wordsContext.ts'

export function Deleted({ store }: { store: Store }) {
  const words = useWords()
  const deleted = store.deleted.value
  if (deleted?.conversation !== store.conversation || !deleted) return null
  return (
    <div class="note" role="status">
      <p>{words.of(deleted.is === 'turn' ? 'messageDeleted' : 'summaryRemoved')}</p>
      <button type="button" class="quiet" onClick={() => store.undoDelete()}>
        {words.of('undo')}
      </button>
    </div>
  )
}
