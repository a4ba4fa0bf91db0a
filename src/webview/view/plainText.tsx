// `PlainText`: renders unformatted text; a long one is folded.
import { useState } from 'preact/hooks'
import { visible } from '../markdown/visible.ts'
import { Marked } from './marked.tsx'
import { useWords } from './wordsContext.ts'

const maxChars = 4_000

export function PlainText({ text }: { text: string }) {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? text : text.slice(0, maxChars)
  return (
    <>
      <p class="plain">
        <Marked text={visible(shown, words)} />
      </p>
      {shown.length < text.length && (
        <button type="button" class="quiet show-all" onClick={() => setWhole(true)}>
          {words.of('showAll')}
        </button>
      )}
    </>
  )
}
