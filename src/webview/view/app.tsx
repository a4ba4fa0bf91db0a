// `App`: the page, either the sign-in or the conversation.
import { useEffect } from 'preact/hooks'
import type { Notice } from '../../protocol/panel.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import { type PageState, type Store, shownUse } from '../state/store.ts'
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
import { HistoryScreen } from './historyScreen.tsx'
import { KeyNotice } from './keyNotice.tsx'
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
  const words = useWords()
  const state = store.shown.value
  useEscape(store)
  return (
    <>
      <Boundary
        subject={state}
        fallback={<Banner notice={broken(words)} store={store} />}
        onFault={text => store.send({ kind: 'report', text })}
      >
        <Screen state={state} store={store} history={history} />
      </Boundary>
      <Announcer store={store} />
    </>
  )
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
        <ChatHead state={state} store={store} history={history} />
        <Conversation state={state} store={store} history={history} />
      </main>
      {isCovered && <HistoryScreen history={history} store={store} />}
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
      <Transcript key={`${state.conversation.conversation} ${store.redraws.value}`} state={state} store={store} />
      <div class="foot">
        {history.head.value.notices.map(text => (
          <Note key={text} notice={{ text }} store={store} />
        ))}
        {!history.isShown.value && <DeletedChat history={history} />}
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
        <ContextTrouble use={shownUse(state)} store={store} />
        <KeyNotice store={store} />
        <Composer state={state} store={store} />
      </div>
    </>
  )
}

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
