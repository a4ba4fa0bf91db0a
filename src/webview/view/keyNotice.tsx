// `KeyNotice`: shows at once that an API key was written or pasted into the message.
import type { Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function KeyNotice({ store }: { store: Store }) {
  const words = useWords()
  if (!store.draftHoldsKey.value) return null
  return (
    <div class="banner trouble">
      <Icon name="warning" />
      <div class="trouble-text">
        <p role="alert">{words.of('keyInMessage')}</p>
        <div class="trouble-buttons">
          <button type="button" class="secondary" onClick={() => store.removeKeys()}>
            {words.of('removeKey')}
          </button>
        </div>
      </div>
    </div>
  )
}
