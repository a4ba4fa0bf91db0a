// `OwnText`: a text that the user has sent, as Markdown; a long one is folded.
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { isInRest, useUnfolded } from './useUnfolded.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 4_000

export function OwnText({ text, store }: { text: string; store: Store }) {
  const words = useWords()
  const [isWhole, unfold] = useUnfolded(pattern => isInRest(text, maxChars, pattern))
  const shown = isWhole ? text : text.slice(0, maxChars)
  return (
    <>
      <Answer text={shown} isOwn announce={words => store.announce(words)} send={store.send} />
      {shown.length < text.length && (
        <button type="button" class="quiet show-all" onClick={unfold}>
          {words.of('showAll')}
        </button>
      )}
    </>
  )
}
