// `App`: the page, either the sign-in or the conversation.
import type { ComponentChild, ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Notice } from '../../protocol/panel.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import type { PageState, Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { Approvals } from './approvals.tsx'
import { Banner, Note, Waiting } from './banner.tsx'
import { Boundary } from './boundary.tsx'
import { Changes } from './changes.tsx'
import { ChatHead } from './chatHead.tsx'
import { Composer } from './composer.tsx'
import { ContextTrouble } from './contextTrouble.tsx'
import { Deleted } from './deleted.tsx'
import { DeletedChat } from './deletedChat.tsx'
import { DraftNotices } from './draftNotices.tsx'
import { HistoryScreen } from './historyScreen.tsx'
import { Plan, StartPlan } from './plan.tsx'
import { QueuedMessages } from './queuedMessages.tsx'
import { RemovedMessages } from './removedMessages.tsx'
import { RunningCommands } from './runningCommands.tsx'
import { SignIn } from './signIn.tsx'
import { Transcript } from './transcript.tsx'
import { useWords } from './wordsContext.ts'

const broken = (words: Words): Notice => ({
  text: words.of('panelBroken'),
  action: { id: 'show-log', label: words.of('showLog') },
})

interface Props {
  readonly store: Store
  readonly history: HistoryStore
}

export function App({ store, history }: Props) {
  const state = store.shown.value
  useEscape(store)
  return (
    <>
      <Contained subject={state} store={store}>
        <Screen state={state} store={store} history={history} />
      </Contained>
      <Announcer store={store} />
    </>
  )
}

/** A notice is in the place of what cannot be drawn; all around it stays. */
function Contained({ subject, store, children }: { subject?: object; store: Store; children: ComponentChildren }) {
  const fallback = <Banner notice={broken(useWords())} store={store} />
  const report = (text: string) => store.send({ kind: 'report', text })
  return <Boundary {...(subject && { subject })} fallback={fallback} onFault={report} children={children} />
}

function Screen({ state, store, history }: Props & { readonly state: PageState }) {
  const { account } = state
  if (account.is === 'unknown') return <Unknown />
  if (account.is !== 'in' && account.is !== 'refused') return <SignIn account={account} store={store} />
  // The covered conversation keeps its size, its place and its text.
  const isCovered = history.isShown.value
  return (
    <>
      <main class={isCovered ? 'chat covered' : 'chat'}>
        <Contained store={store}>
          <ChatHead state={state} store={store} history={history} />
        </Contained>
        <Conversation state={state} store={store} history={history} />
      </main>
      {isCovered && (
        <Contained store={store}>
          <HistoryScreen history={history} store={store} />
        </Contained>
      )}
    </>
  )
}

/** Before it is known who is signed in. */
const Unknown = () => (
  <main class="chat" aria-busy="true">
    <h1 class="unseen">{useWords().of('kourier')}</h1>
  </main>
)

function Conversation({ state, store, history }: Props & { readonly state: PageState }) {
  const { account, activity } = state
  if (account.is !== 'in' && account.is !== 'refused') return null
  return (
    <>
      <Contained store={store}>
        <Transcript key={`${state.conversation.conversation} ${store.redraws.value}`} state={state} store={store} />
      </Contained>
      <Foot store={store}>
        {history.head.value.notices.map(text => (
          <Note key={text} notice={{ text }} store={store} />
        ))}
        {!history.isShown.value && <DeletedChat history={history} isOver={store.pending.value.length > 0} />}
        <Waiting activity={activity} store={store} />
        {account.notice && <Banner notice={account.notice} store={store} />}
        {account.is === 'in' && activity.is === 'failed' && <Banner notice={activity.notice} store={store} />}
        {state.limits && <Note notice={state.limits} store={store} />}
        <Deleted store={store} />
        <Approvals state={state} store={store} />
        <Changes state={state} store={store} />
        <RunningCommands state={state} store={store} />
        <Plan state={state} />
        <StartPlan state={state} store={store} />
        <RemovedMessages store={store} />
        <QueuedMessages state={state} store={store} />
        <ContextTrouble key={state.conversation.conversation} state={state} store={store} />
        <DraftNotices store={store} />
        <Composer state={state} store={store} />
      </Foot>
    </>
  )
}

const Foot = ({ store, children }: { store: Store; children: readonly ComponentChild[] }) => (
  <div class="foot">
    {children.map((child, at) => (
      <Contained key={at} store={store}>
        {child}
      </Contained>
    ))}
  </div>
)

/** A live region without the role `status`, which is that of `Waiting`. */
const Announcer = ({ store }: { store: Store }) => (
  <div class="unseen" aria-live="polite">
    {store.announcement.value}
  </div>
)

/** Escape stops the answer from anywhere in the page, except while an input method composes. */
function useEscape(store: Store): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) store.stop()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
