// `Message`: renders one message with its parts and its actions.
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { AssistantMessage, Message as MessageState } from '../state/messages.ts'
import type { Store } from '../state/store.ts'
import { Boundary } from './boundary.tsx'
import { CodeContext } from './codeActions.tsx'
import { AnswerActions, AnswerEnding, QuestionActions } from './messageActions.tsx'
import { Parts, Working } from './messageParts.tsx'
import { Outline } from './outline.tsx'
import { PlainText } from './plainText.tsx'
import { QuestionEditor } from './questionEditor.tsx'
import { SummaryBlock } from './summaryBlock.tsx'
import { TurnEndContext } from './toolCall.tsx'
import { useWords } from './wordsContext.ts'
import { WorkDone } from './workDone.tsx'

interface Props {
  message: MessageState
  store: Store
  /** No request is under way, so the question may be asked again or changed. */
  mayAsk: boolean
  /** The last answer: its actions are always visible, and only it can be continued. */
  isLast: boolean
}

export function Message(props: Props) {
  const { message, store, mayAsk, isLast } = props
  // What was drawn stays until one of these changes.
  const subject = useMemo(() => ({ message }), [message, mayAsk, isLast])
  return (
    <Boundary
      subject={subject}
      fallback={<Undrawn message={message} />}
      onFault={text => store.send({ kind: 'report', text })}
    >
      <Shell {...props} body={<Body message={message} store={store} />} />
      <Extra store={store}>
        {message.summary && <SummaryBlock summary={message.summary} store={store} mayChange={mayAsk} />}
      </Extra>
    </Boundary>
  )
}

/** As little as can be, because any of the rest may be what failed. */
function Undrawn({ message: { id, role, text } }: { message: MessageState }) {
  const words = useWords()
  const isMine = role === 'user'
  return (
    <article
      class={isMine ? 'message mine' : 'message'}
      aria-label={words.of(isMine ? 'user' : 'kourier')}
      aria-live="off"
      data-id={id}
    >
      <PlainText text={text} />
    </article>
  )
}

/** What belongs to a message and is left out if it cannot be drawn. */
const Extra = ({ store, children }: { store: Store; children: ComponentChildren }) => (
  <Boundary fallback={null} onFault={text => store.send({ kind: 'report', text })} children={children} />
)

type ShellProps = Props & { body: preact.ComponentChild }

function Shell(props: ShellProps) {
  return props.message.role === 'user' ? <Question {...props} /> : <AnswerArticle {...props} message={props.message} />
}

function Question({ message, store, mayAsk, body }: ShellProps) {
  const words = useWords()
  const { turn } = message
  const isEdited = useMemo(() => store.isEdited(turn), [store, turn]).value
  // What is still being changed after a reload does not take the focus.
  const [editor, setEditor] = useState<'untouched' | 'opened' | 'closed'>('untouched')
  if (message.role !== 'user') return null
  const open = () => {
    setEditor('opened')
    store.keepEdit(turn, message.text)
  }
  const send = (text: string) => {
    setEditor('opened')
    store.editTurn(turn, text)
    store.focusComposer()
  }
  const close = () => {
    setEditor('closed')
    store.endEdit(turn)
  }
  return (
    <article
      class={isEdited ? 'message mine editing' : 'message mine'}
      aria-label={words.of('user')}
      data-id={message.id}
    >
      {isEdited ? (
        <QuestionEditor
          turn={turn}
          text={store.editText(turn) ?? message.text}
          takesFocus={editor !== 'untouched'}
          store={store}
          onSubmit={send}
          onClose={close}
        />
      ) : (
        <>
          <div class="bubble">{body}</div>
          <QuestionActions
            message={message}
            store={store}
            mayAsk={mayAsk}
            wasEdited={editor === 'closed'}
            onEdit={open}
          />
        </>
      )}
    </article>
  )
}

interface AnswerProps extends Omit<ShellProps, 'message'> {
  message: AssistantMessage
}

/**
 * Excluded from the live region, because a screen reader would read it again with every delta. Its end is announced.
 */
function AnswerArticle({ message, store, mayAsk, isLast, body }: AnswerProps) {
  const words = useWords()
  const isStreaming = message.state === 'streaming'
  return (
    <article
      class={isLast ? 'message last' : 'message'}
      aria-label={words.of('kourier')}
      aria-live="off"
      aria-busy={isStreaming}
      data-id={message.id}
    >
      <Extra store={store}>
        <Outline text={message.text} />
      </Extra>
      {body}
      <Extra store={store}>{!isStreaming && <WorkDone message={message} />}</Extra>
      <Extra store={store}>
        <AnswerEnding message={message} store={store} mayContinue={isLast && mayAsk} />
      </Extra>
      <Extra store={store}>{!isStreaming && <AnswerActions message={message} store={store} mayAsk={mayAsk} />}</Extra>
    </article>
  )
}

function Body({ message, store }: { message: MessageState; store: Store }) {
  const isWhole = message.role === 'assistant' && message.state === 'whole'
  const isForCommit = message.role === 'assistant' && message.isForCommit
  // The buttons of code are for that of the model.
  const isAnswer = message.role === 'assistant'
  const code = useMemo(
    () => (isAnswer ? { turn: message.turn, isWhole, isForCommit, store } : undefined),
    [message.turn, isAnswer, isWhole, isForCommit, store],
  )
  if (message.lacks.length > 0) return <div class="absent" aria-busy="true" />
  if (message.role === 'assistant' && message.state === 'streaming' && message.parts.length === 0) return <Working />
  return (
    <CodeContext.Provider value={code}>
      <TurnEndContext.Provider value={isAnswer ? endOf(message) : undefined}>
        <Parts parts={message.parts} turn={message.turn} isMine={message.role === 'user'} store={store} />
      </TurnEndContext.Provider>
    </CodeContext.Provider>
  )
}

function endOf({ state }: AssistantMessage) {
  if (state === 'streaming') return undefined
  return state === 'interrupted' ? 'interrupted' : 'stopped'
}
