// `Welcome`: the content of an empty conversation, with three example questions.
import { sanitizeLine } from '../../base/text.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const examples = ['exampleFunction', 'exampleExplanation', 'exampleExpression'] as const

export function Welcome({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  return (
    <div class="welcome">
      <Icon name="courier" size={28} />
      <p class="welcome-title">{words.of('welcome')}</p>
      <p class="muted">{words.of('welcomeHint')}</p>
      <div class="examples">
        {examples.map(name => (
          <Example key={name} text={words.of(name)} store={store} />
        ))}
      </div>
      <SignedIn state={state} />
    </div>
  )
}

function Example({ text, store }: { text: string; store: Store }) {
  return (
    <button type="button" class="example" onClick={() => store.putExampleIntoComposer(text)}>
      {text}
    </button>
  )
}

function SignedIn({ state: { account } }: { state: PageState }) {
  const words = useWords()
  if (account.is !== 'in' || !account.email) return null
  const values = { service: sanitizeLine(account.service), email: sanitizeLine(account.email) }
  return <p class="muted small">{words.of('signedInAs', values)}</p>
}
