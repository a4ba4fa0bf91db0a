// `Plan`: the steps of the model's work, above the composer; `StartPlan`: has the plan of an answer carried out.
import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const stateWords = { open: 'planOpen', doing: 'planDoing', done: 'planDone' } as const

/** Folded, it shows the step that is being done. */
export function Plan({ state: { agent } }: { state: PageState }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const { plan } = agent
  if (plan.length === 0) return null
  const done = plan.filter(({ state }) => state === 'done').length
  const now = plan.find(({ state }) => state === 'doing') ?? plan.find(({ state }) => state === 'open')
  return (
    <details class="plan" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="outline" size={14} />
        <span class="plan-now">{now ? sanitizeLine(now.text, 200) : words.of('planComplete')}</span>
        <span class="muted small">{words.of('planCount', { done, count: plan.length })}</span>
      </summary>
      <ul aria-label={words.of('plan')}>
        {plan.map(({ text, state }, at) => (
          <li key={at} class={`plan-${state}`}>
            <span class="plan-mark" aria-hidden="true">
              <PlanMark state={state} />
            </span>
            <span class="unseen">{words.of(stateWords[state])}</span>
            <span>{sanitizeLine(text, 400)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function PlanMark({ state }: { state: keyof typeof stateWords }) {
  if (state === 'done') return <Icon name="done" size={12} />
  return state === 'doing' ? '▸' : '○'
}

/** After an answer in the mode Plan. */
export function StartPlan({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const last = state.messages.at(-1)
  const isWritten = last?.role === 'assistant' && last.state === 'whole' && state.activity.is === 'idle'
  if (state.agent.mode !== 'plan' || state.agent.modes.length === 0 || !isWritten) return null
  return (
    <div class="start-plan">
      <button type="button" class="primary" title={words.of('startPlanHelp')} onClick={() => store.startPlan()}>
        {words.of('startPlan')}
      </button>
    </div>
  )
}
