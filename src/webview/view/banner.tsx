// `Banner` and `Note`: a sentence with one action button; `Waiting`: what the current request waits for.
import { useEffect, useState } from 'preact/hooks'
import { durationOf, sanitizeLine } from '../../base/text.ts'
import type { Notice, PanelActivity, PanelWait } from '../../protocol/panel.ts'
import { TIME } from '../../protocol/timePlaceholder.ts'
import type { Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function Banner({ notice, store }: { notice: Notice; store: Store }) {
  const { text, action } = notice
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>{sanitizeLine(text, 600)}</p>
      {action && <ActionButton action={action} look="secondary" store={store} />}
    </div>
  )
}

/** A notice that is no fault. */
export function Note({ notice: { text, action }, store }: { notice: Notice; store: Store }) {
  return (
    <div class="note" role="note">
      <p>{sanitizeLine(text, 600)}</p>
      {action && <ActionButton action={action} look="quiet" store={store} />}
    </div>
  )
}

interface ActionProps {
  readonly action: NonNullable<Notice['action']>
  readonly look: 'secondary' | 'quiet'
  readonly store: Store
}

function ActionButton({ action, look, store }: ActionProps) {
  return (
    <button type="button" class={look} onClick={() => store.act(action.id)}>
      {sanitizeLine(action.label, 60)}
    </button>
  )
}

/** Always rendered, so that screen readers announce changes in it; the seconds are not announced. */
export function Waiting({ activity, store }: { activity: PanelActivity; store: Store }) {
  const words = useWords()
  const wait = activity.is === 'waiting' || activity.is === 'answering' ? activity.wait : undefined
  return (
    <>
      <div class="waiting" role="status">
        {wait && (
          <span class="waiting-text">
            <WaitText wait={wait} />
          </span>
        )}
        {activity.is === 'waiting' && (
          <span class="waiting-buttons">
            {activity.mayRetryNow && (
              <button type="button" class="secondary" onClick={() => store.act('retry')}>
                {words.of('retryNow')}
              </button>
            )}
            <button type="button" class="quiet" onClick={() => store.cancel()}>
              {words.of('cancel')}
            </button>
          </span>
        )}
      </div>
      {wait?.details && (
        <ul class="waiting-details" aria-label={words.of('slotsInUse')}>
          {wait.details.map(text => (
            <li key={text}>{sanitizeLine(text)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function WaitText({ wait: { text, time, over } }: { wait: PanelWait }) {
  const words = useWords()
  const passedMs = useElapsed(time)
  if (!time) return sanitizeLine(text)
  if (over && 'left' in time && passedMs >= time.left) return sanitizeLine(over)
  const [before, after] = sanitizeLine(text).split(TIME)
  const { count, unit } = durationOf('left' in time ? time.left - passedMs : time.since + passedMs)
  return (
    <>
      {before}
      <span role="timer" aria-live="off">
        {words.of(unit, { count })}
      </span>
      {after}
    </>
  )
}

/** Milliseconds since `what` was first rendered, updated every second. */
function useElapsed(what: object | undefined): number {
  const [passed, setPassed] = useState({ of: what, ms: 0 })
  useEffect(() => {
    if (!what) return undefined
    const start = performance.now()
    const timer = setInterval(() => setPassed({ of: what, ms: performance.now() - start }), 1_000)
    return () => clearInterval(timer)
  }, [what])
  return passed.of === what ? passed.ms : 0
}
