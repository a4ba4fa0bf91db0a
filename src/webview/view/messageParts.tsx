// `Parts`: renders the parts of a message; `Working`: the animation before the first text of an answer.
import { never } from '../../base/fault.ts'
import type { Part, PartOf } from '../../protocol/conversation.ts'
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { Attachment } from './attachment.tsx'
import { Boundary } from './boundary.tsx'
import { ChangeSet } from './changes.tsx'
import { CodeContext } from './codeActions.tsx'
import { OwnText } from './ownText.tsx'
import { partText } from './partText.ts'
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
        part =>
          !isAlong(part) && (
            <Boundary
              key={part.id}
              subject={part}
              fallback={<PlainText text={partText(part)} />}
              onFault={text => store.send({ kind: 'report', text })}
            >
              <PartView part={part} turn={turn} isMine={isMine} store={store} />
            </Boundary>
          ),
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
        <OwnText text={part.text} store={store} />
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
      return <ChangeSet part={part} turn={turn} store={store} />
    case 'reasoning':
      return <Reasoning part={part} store={store} />
    case 'notice':
      return <SentMeanwhile text={`${part.values?.['text'] ?? ''}`} store={store} />
    default:
      return never(part)
  }
}

/** A message that the user has sent while the model worked. */
function SentMeanwhile({ text, store }: { text: string; store: Store }) {
  const words = useWords()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" class="bubble sent-meanwhile" aria-label={words.of('user')}>
      <CodeContext.Provider value={undefined}>
        <OwnText text={text} store={store} />
      </CodeContext.Provider>
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
