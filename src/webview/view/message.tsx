// `Message`: renders one message with its parts; `Working`: the animation before the first text of an answer.
import { never } from '../../base/fault.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { Part, PartOf } from '../../protocol/conversation.ts'
import type { FromPage } from '../../protocol/panel.ts'
import type { Message as MessageState } from '../state/messages.ts'
import { Answer } from './answer.tsx'
import { Boundary } from './boundary.tsx'
import { PlainText } from './plainText.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  message: MessageState
  announce: (text: string) => void
  send: (message: FromPage) => void
}

const endings = {
  whole: undefined,
  streaming: undefined,
  stopped: 'stopped',
  'cut-off': 'brokeOff',
} as const

export function Message({ message, announce, send }: Props) {
  return (
    <Boundary
      subject={message}
      fallback={<Article message={message} body={<PlainText text={message.text} />} />}
      onFault={text => send({ kind: 'report', text })}
    >
      <Article message={message} body={<Body message={message} announce={announce} send={send} />} />
    </Boundary>
  )
}

function Article({ message, body }: { message: MessageState; body: preact.ComponentChild }) {
  const words = useWords()
  return message.role === 'user' ? (
    <article class="message mine" aria-label={words.of('user')} data-id={message.id}>
      {body}
    </article>
  ) : (
    <AnswerArticle message={message} body={body} />
  )
}

interface AnswerArticleProps {
  message: Extract<MessageState, { role: 'assistant' }>
  body: preact.ComponentChild
}

/**
 * Excluded from the live region, because a screen reader would read it again with every delta. Its end is announced.
 */
function AnswerArticle({ message: { id, state, earlier }, body }: AnswerArticleProps) {
  const words = useWords()
  const ending = endings[state]
  return (
    <article
      class="message"
      aria-label={words.of('kourier')}
      aria-live="off"
      aria-busy={state === 'streaming'}
      data-id={id}
    >
      {earlier.map((text, at) => (
        <details key={at} class="earlier">
          <summary>
            {earlier.length === 1 ? words.of('earlierAnswer') : words.of('earlierAnswerOf', { number: at + 1 })}
          </summary>
          <PlainText text={text} />
        </details>
      ))}
      {body}
      {ending && <p class="ending">{words.of(ending)}</p>}
    </article>
  )
}

function Body({ message, announce, send }: Props) {
  if (message.role === 'assistant' && message.state === 'streaming' && message.text === '') return <Working />
  const isMine = message.role === 'user'
  return message.parts.map(part => (
    <PartView key={part.id} part={part} isMine={isMine} announce={announce} send={send} />
  ))
}

interface PartProps extends Omit<Props, 'message'> {
  part: Part
  isMine: boolean
}

function PartView({ part, isMine, announce, send }: PartProps) {
  switch (part.kind) {
    case 'text':
      return isMine ? <PlainText text={part.text} /> : <Answer text={part.text} announce={announce} send={send} />
    case 'attachment':
      return <p class="attachment">{sanitizeLine(part.name)}</p>
    case 'image':
      return <Picture part={part} />
    case 'tool-call':
      return <ToolCall part={part} />
    case 'change-set':
      return <Changes part={part} />
    case 'reasoning':
    case 'notice':
      return null
    default:
      return never(part)
  }
}

const drawable = /^image\/(png|jpeg|gif|webp)$/

function Picture({ part: { mediaType, base64, name } }: { part: PartOf<'image'> }) {
  const words = useWords()
  const label = sanitizeLine(name ?? words.of('image'))
  if (!drawable.test(mediaType)) return <p class="attachment">{label}</p>
  return <img class="picture" alt={label} src={`data:${mediaType};base64,${base64}`} />
}

const outcomes = {
  ok: 'toolDone',
  error: 'toolFailed',
  denied: 'toolDenied',
  refused: 'toolRefused',
  stopped: 'toolStopped',
  interrupted: 'toolInterrupted',
} as const

function ToolCall({ part: { name, result, isWritten } }: { part: PartOf<'tool-call'> }) {
  const words = useWords()
  const values = { name: sanitizeLine(name, 80) }
  const pending = isWritten ? 'toolRunning' : 'toolWriting'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" class="tool" aria-label={words.of('tool', values)}>
      {words.of(result ? outcomes[result.outcome] : pending, values)}
    </div>
  )
}

function Changes({ part: { files } }: { part: PartOf<'change-set'> }) {
  const words = useWords()
  return (
    <ul class="changes" aria-label={words.of('changes')}>
      {files.map(({ uri, addedLines, removedLines }) => (
        <li key={uri}>{`${sanitizeLine(uri)} +${addedLines} -${removedLines}`}</li>
      ))}
    </ul>
  )
}

/** The progress animation before the first text of an answer. */
export function Working() {
  return (
    <div class="working" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  )
}
