// `Welcome`: the content of an empty conversation, with three example questions.
import { sanitizeLine } from '../../base/text.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon } from './icon.tsx'

const examples = [
  'Write a function that retries a request with growing pauses',
  'Explain what a race condition is, with a small example',
  'Suggest a regular expression that finds ISO 8601 dates',
]

export function Welcome({ state, store }: { state: PageState; store: Store }) {
  return (
    <div class="welcome">
      <Icon name="courier" size={28} />
      <p class="welcome-title">What are you working on?</p>
      <p class="muted">Ask a question, or begin with one of these.</p>
      <div class="examples">
        {examples.map(example => (
          <button type="button" class="example" key={example} onClick={() => store.suggest(example)}>
            {example}
          </button>
        ))}
      </div>
      <SignedIn state={state} />
    </div>
  )
}

function SignedIn({ state: { account } }: { state: PageState }) {
  if (account.is !== 'in' || !account.email) return null
  return <p class="muted small">{`Signed in to ${sanitizeLine(account.service)} as ${sanitizeLine(account.email)}`}</p>
}
