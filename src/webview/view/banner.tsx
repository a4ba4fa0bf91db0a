// One plain sentence and the one button that mends it; and what is being waited for.
import { plainLine } from '../../base/text.ts'
import type { FromPage, Notice, PanelActivity } from '../../protocol/panel.ts'
import { Icon } from './icon.tsx'

type Send = (message: FromPage) => void

export function Banner({ notice, send }: { notice: Notice; send: Send }) {
  const { text, action } = notice
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>{plainLine(text, 600)}</p>
      {action && (
        <button type="button" class="secondary" onClick={() => send({ kind: 'act', action: action.id })}>
          {plainLine(action.label, 60)}
        </button>
      )}
    </div>
  )
}

/** Always there, so that what appears in it is announced. */
export function Waiting({ activity, send }: { activity: PanelActivity; send: Send }) {
  const text = activity.is === 'waiting' || activity.is === 'answering' ? activity.text : undefined
  return (
    <div class="waiting" role="status">
      {text && <span class="waiting-text">{plainLine(text)}</span>}
      {activity.is === 'waiting' && activity.mayRetryNow && (
        <span class="waiting-buttons">
          <button type="button" class="secondary" onClick={() => send({ kind: 'act', action: 'retry' })}>
            Retry now
          </button>
          <button type="button" class="quiet" onClick={() => send({ kind: 'stop' })}>
            Cancel
          </button>
        </span>
      )}
    </div>
  )
}
