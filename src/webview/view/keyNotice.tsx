// `KeyNotice`: the notice that the message holds an API key, as soon as one was written or pasted.
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
