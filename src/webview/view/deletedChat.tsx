// `DeletedChat`: the notice that a chat was deleted, which can be undone.
import { clip, sanitizeLine } from '../../base/text.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const titleChars = 40

export function DeletedChat({ history }: { readonly history: HistoryStore }) {
  const words = useWords()
  const deleted = history.deleted.value
  if (!deleted) return null
  const title = clip(sanitizeLine(deleted.title), titleChars) || words.of('untitled')
  return (
    <div class="note deleted-chat" role="status">
      <p>{words.of('chatDeleted', { title })}</p>
      <button type="button" class="quiet" onClick={() => history.undoDelete()}>
        {words.of('undo')}
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={words.of('close')}
        title={words.of('close')}
        onClick={() => history.forgetDeleted()}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  )
}
