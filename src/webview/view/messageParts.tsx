// `Parts`: renders the parts of a message; `Working`: the animation before the first text of an answer.
import { never } from '../../base/fault.ts'
import { sanitizeLine } from '../../base/text.ts'
import type { Part, PartOf } from '../../protocol/conversation.ts'
import type { Store } from '../state/store.ts'
import { Answer } from './answer.tsx'
import { Attachment } from './attachment.tsx'
import { ChangeSet } from './changes.tsx'
import { Picture } from './picture.tsx'
import { PlainText } from './plainText.tsx'
import { Reasoning } from './reasoning.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  parts: readonly Part[]
  turn: string
  /** The parts of a question. */
  isMine: boolean
  store: Store
}

export function Parts({ parts, turn, isMine, store }: Props) {
  return parts.map(part => <PartView key={part.id} part={part} turn={turn} isMine={isMine} store={store} />)
}

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
      return <ToolCall part={part} />
    case 'change-set':
      return <ChangeSet part={part} store={store} />
    case 'reasoning':
      return <Reasoning part={part} />
    case 'notice':
      return null
    default:
      return never(part)
  }
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
