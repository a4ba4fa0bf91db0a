// One message.
import type { FromPage, PanelMessage } from '../../protocol/panel.ts'
import { Answer } from './answer.tsx'
import { Boundary } from './boundary.tsx'
import { PlainText } from './plainText.tsx'

interface Props {
  message: PanelMessage
  announce: (text: string) => void
  send: (message: FromPage) => void
}

const endings = {
  whole: undefined,
  streaming: undefined,
  stopped: 'Stopped.',
  'cut-off': 'The answer broke off here.',
}

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

/** An answer is kept out of the live region: it would be read again with every piece. Its end is announced. */
function Article({ message, body }: { message: PanelMessage; body: preact.ComponentChild }) {
  const isMine = message.role === 'user'
  const ending = endings[message.state]
  return (
    <article
      class={isMine ? 'message mine' : 'message'}
      aria-label={isMine ? 'You' : 'Kourier'}
      aria-live={isMine ? undefined : 'off'}
      aria-busy={message.state === 'streaming'}
      data-id={message.id}
    >
      {message.earlier?.map((text, at) => (
        <details key={at} class="earlier">
          <summary>{message.earlier?.length === 1 ? 'Earlier answer' : `Earlier answer ${at + 1}`}</summary>
          <PlainText text={text} />
        </details>
      ))}
      {body}
      {ending && <p class="ending">{ending}</p>}
    </article>
  )
}

function Body({ message, announce, send }: Props) {
  if (message.role === 'user') return <PlainText text={message.text} />
  if (message.state === 'streaming' && message.text === '') return <Working />
  return <Answer text={message.text} announce={announce} send={send} />
}

/** Something is on its way, but there is nothing to read yet. */
export function Working() {
  return (
    <div class="working" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  )
}
