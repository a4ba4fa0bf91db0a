// `Parts`: renders the parts of a message; `Working`: the animation before the first text of an answer.
import { never } from '../../base/fault.ts'
import type { Part, PartOf } from '../../protocol/conversation.ts'
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { Attachment } from './attachment.tsx'
import { ChangeSet } from './changes.tsx'
import { Picture } from './picture.tsx'
import { PlainText } from './plainText.tsx'
import { Reasoning } from './reasoning.tsx'
import { SentAlong } from './sentAlong.tsx'
import { ToolCall } from './toolCall.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  parts: readonly Part[]
  turn: string
  /** The parts of a question. */
  isMine: boolean
  store: Store
}

export function Parts({ parts, turn, isMine, store }: Props) {
  const along = parts.filter(isAlong)
  return (
    <>
      {parts.map(
        part => !isAlong(part) && <PartView key={part.id} part={part} turn={turn} isMine={isMine} store={store} />,
      )}
      {along.length > 0 && <SentAlong texts={along.map(({ text = '' }) => text)} />}
    </>
  )
}

/** It goes along by itself: nobody has attached it. */
const isAlong = (part: Part): part is PartOf<'attachment'> =>
  part.kind === 'attachment' && part.source === 'environment'

function PartView({ part, turn, isMine, store }: Omit<Props, 'parts'> & { part: Part }) {
  switch (part.kind) {
    case 'text':
      return isMine ? (
        <PlainText text={part.text} />
      ) : (
        <Answer text={part.text} announce={text => store.announce(text)} send={store.send} />
      )
    case 'attachment':
      return <Attachment part={part} turn={turn} store={store} />
    case 'image':
      return <Picture part={part} />
    case 'tool-call':
      return <ToolCall part={part} turn={turn} store={store} />
    case 'change-set':
      return <ChangeSet part={part} store={store} />
    case 'reasoning':
      return <Reasoning part={part} />
    case 'notice':
      return <SentMeanwhile text={`${part.values?.['text'] ?? ''}`} />
    default:
      return never(part)
  }
}

/** A message that the user has sent while the model worked. */
function SentMeanwhile({ text }: { text: string }) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" class="bubble sent-meanwhile" aria-label={words.of('user')}>
      <PlainText text={text} />
    </div>
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
