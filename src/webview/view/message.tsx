// `Message`: renders one message with its parts and its actions.
import { useMemo, useState } from 'preact/hooks'
import type { AssistantMessage, Message as MessageState } from '../state/messages.ts'
import type { Store } from '../state/store.ts'
import { Boundary } from './boundary.tsx'
import { CodeContext } from './codeActions.tsx'
import { InPlaceEditor } from './inPlaceEditor.tsx'
import { AnswerActions, AnswerEnding, QuestionActions } from './messageActions.tsx'
import { Parts, Working } from './messageParts.tsx'
import { Outline } from './outline.tsx'
import { PlainText } from './plainText.tsx'
import { SummaryBlock } from './summaryBlock.tsx'
import { useWords } from './wordsContext.ts'
import { WorkDone } from './workDone.tsx'

const maxChars = 2_000_000

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
      fallback={<Shell {...props} body={<PlainText text={message.text} />} />}
      onFault={text => store.send({ kind: 'report', text })}
    >
      <Shell {...props} body={<Body message={message} store={store} />} />
      {message.summary && <SummaryBlock summary={message.summary} store={store} mayChange={mayAsk} />}
    </Boundary>
  )
}

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
    store.keepEdit(turn, undefined)
  }
  return (
    <article
      class={isEdited ? 'message mine editing' : 'message mine'}
      aria-label={words.of('user')}
      data-id={message.id}
    >
      {isEdited ? (
        <div class="bubble">
          <InPlaceEditor
            text={store.editText(turn) ?? message.text}
            label={words.of('editMessage')}
            submitLabel={words.of('send')}
            rows={2}
            maxChars={maxChars}
            submitsOnEnter={store.sendOnEnter.value}
            takesFocus={editor !== 'untouched'}
            onInput={text => store.keepEdit(turn, text)}
            onBlur={() => store.saveDraft()}
            onSubmit={send}
            onClose={close}
          />
        </div>
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
      <Outline text={message.text} />
      {body}
      {!isStreaming && <WorkDone message={message} />}
      <AnswerEnding message={message} store={store} mayContinue={isLast && mayAsk} />
      {!isStreaming && <AnswerActions message={message} store={store} mayAsk={mayAsk} />}
    </article>
  )
}

function Body({ message, store }: { message: MessageState; store: Store }) {
  const isWhole = message.role === 'user' || message.state === 'whole'
  const code = useMemo(() => ({ turn: message.turn, isWhole, store }), [message.turn, isWhole, store])
  if (message.lacks.length > 0) return <div class="absent" aria-busy="true" />
  if (message.role === 'assistant' && message.state === 'streaming' && message.parts.length === 0) return <Working />
  return (
    <CodeContext.Provider value={code}>
      <Parts parts={message.parts} turn={message.turn} isMine={message.role === 'user'} store={store} />
    </CodeContext.Provider>
  )
}
