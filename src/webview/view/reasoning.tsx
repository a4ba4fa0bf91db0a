// `Reasoning`: what the model thought before it answered, folded, with how long it took.
import { useEffect, useState } from 'preact/hooks'
import { durationOf } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { CodeContext } from './codeActions.tsx'
import { useFold } from './useFold.ts'
import { useWords } from './wordsContext.ts'

interface Props {
  part: PartOf<'reasoning'>
  store: Store
}

/** Nothing is shown of reasoning that only the model can read. */
export function Reasoning({ part: { id, text, startedAt, endedAt }, store }: Props) {
  const [isOpen, setOpen] = useFold(id)
  if (text.trim() === '') return null
  return (
    <details class="reasoning" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        {startedAt !== undefined && endedAt !== undefined ? (
          <Took ms={endedAt - startedAt} />
        ) : (
          <Thinking since={startedAt} />
        )}
      </summary>
      {isOpen && (
        <div class="reasoning-text" data-fold={id}>
          <CodeContext.Provider value={undefined}>
            <Answer text={text.trim()} announce={words => store.announce(words)} send={store.send} />
          </CodeContext.Provider>
        </div>
      )}
    </details>
  )
}

function Took({ ms }: { ms: number }) {
  const words = useWords()
  const { count, unit } = durationOf(ms)
  return words.of('thought', { time: words.of(unit, { count }) })
}

/** Counts the seconds from the first render, because the clocks of page and extension may differ. */
function Thinking({ since }: { since: number | undefined }) {
  const words = useWords()
  const [ms, setMs] = useState(0)
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setMs(performance.now() - start), 1_000)
    return () => clearInterval(timer)
  }, [since])
  const { count, unit } = durationOf(ms)
  return (
    <span role="timer" aria-live="off">
      {ms < 1_000 ? words.of('thinking') : words.of('thinkingFor', { time: words.of(unit, { count }) })}
    </span>
  )
}
