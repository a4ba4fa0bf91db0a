// `PlainText`: renders unformatted text; a long one is folded.
import { visible } from '../markdown/visible.ts'
import { Marked } from './marked.tsx'
import { isInRest, useUnfolded } from './useUnfolded.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 4_000

export function PlainText({ text }: { text: string }) {
  const words = useWords()
  const [isWhole, unfold] = useUnfolded(pattern => isInRest(text, maxChars, pattern))
  const shown = isWhole ? text : text.slice(0, maxChars)
  return (
    <>
      <p class="plain">
        <Marked text={visible(shown, words)} />
      </p>
      {shown.length < text.length && (
        <button type="button" class="quiet show-all" onClick={unfold}>
          {words.of('showAll')}
        </button>
      )}
    </>
  )
}
