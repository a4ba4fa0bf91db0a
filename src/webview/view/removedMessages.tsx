// `RemovedMessages`: the notice that messages were removed from the queue, which can be undone.
import type { Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function RemovedMessages({ store }: { store: Store }) {
  const words = useWords()
  const { length: count } = store.removed.value
  if (count === 0) return null
  return (
    <div class="note" role="status">
      <p>{count === 1 ? words.of('removedFromQueueOne') : words.of('removedFromQueue', { count })}</p>
      <button type="button" class="quiet" onClick={() => store.undoRemove()}>
        {words.of('undo')}
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={words.of('dismiss')}
        title={words.of('dismiss')}
        onClick={() => store.forgetRemoved()}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  )
}
