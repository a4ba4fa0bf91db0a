// `DraftNotices`: shows at once what in the message the user may not want to send: keys, and characters that are not seen.
import type { Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function DraftNotices({ store }: { store: Store }) {
  const words = useWords()
  const count = store.unseenInDraft.value
  const owner = store.otherKeyInDraft.value
  return (
    <>
      {store.draftHoldsKey.value && (
        <DraftNotice
          text={words.of('keyInMessage')}
          remedy={words.of('removeKey')}
          onRemedy={() => store.removeKeys()}
        />
      )}
      {owner !== undefined && (
        <DraftNotice
          text={owner === '' ? words.of('privateKeyInMessage') : words.of('otherKeyInMessage', { service: owner })}
          remedy={words.of('removeKey')}
          onRemedy={() => store.removeKeys()}
        />
      )}
      {count > 0 && (
        <DraftNotice
          text={count === 1 ? words.of('unseenInMessageOne') : words.of('unseenInMessage', { count })}
          remedy={words.of('removeUnseen')}
          onRemedy={() => store.removeUnseen()}
        />
      )}
    </>
  )
}

interface Props {
  text: string
  remedy: string
  onRemedy: () => void
}

function DraftNotice({ text, remedy, onRemedy }: Props) {
  return (
    <div class="banner trouble">
      <Icon name="warning" />
      <div class="trouble-text">
        <p role="alert">{text}</p>
        <div class="trouble-buttons">
          <button type="button" class="secondary" onClick={onRemedy}>
            {remedy}
          </button>
        </div>
      </div>
    </div>
  )
}
