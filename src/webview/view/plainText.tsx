// `PlainText`: renders unformatted text with links to the files that it names; a long one is folded.
import { useContext, useRef } from 'preact/hooks'
import { visible } from '../markdown/visible.ts'
import { LinkBudgetContext, newLinkBudget } from './linksContext.ts'
import { TextWithNames } from './nameLink.tsx'
import { isInRest, useUnfolded } from './useUnfolded.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 4_000

export function PlainText({ text }: { text: string }) {
  const words = useWords()
  const [isWhole, unfold] = useUnfolded(pattern => isInRest(text, maxChars, pattern))
  const own = useRef(newLinkBudget()).current
  const budget = useContext(LinkBudgetContext) ?? own
  const shown = isWhole ? text : text.slice(0, maxChars)
  return (
    <>
      <p class="plain">
        <LinkBudgetContext.Provider value={budget}>
          <TextWithNames text={visible(shown, words)} />
        </LinkBudgetContext.Provider>
      </p>
      {shown.length < text.length && (
        <button type="button" class="quiet show-all" onClick={unfold}>
          {words.of('showAll')}
        </button>
      )}
    </>
  )
}
