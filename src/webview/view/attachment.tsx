// `Attachment`: what was attached to a question, folded, with the text exactly as it was sent.
import { useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { lastLineNumber } from '../../protocol/textRange.ts'
import type { Store } from '../state/store.ts'
import { ChipIcon } from './chips.tsx'
import { Icon } from './icon.tsx'
import { PlainText } from './plainText.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  part: PartOf<'attachment'>
  turn: string
  store: Store
}

export function Attachment({ part, turn, store }: Props) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const { id, source, range, uri, text = '' } = part
  const name = sanitizeLine(part.name, 200)
  const label = range ? words.of('linesOf', { name, from: range.startLine + 1, to: lastLineNumber(range) }) : name
  const open = words.of('openNamed', { name })
  return (
    <div class="attachment">
      <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <ChipIcon kind={source} />
          <span>{label}</span>
        </summary>
        {isOpen && (
          <div class="attachment-text">
            <PlainText text={text} />
          </div>
        )}
      </details>
      {uri && source !== 'folder' && (
        <button
          type="button"
          class="icon-button"
          aria-label={open}
          title={open}
          onClick={() => store.openPart(turn, id)}
        >
          <Icon name="open" size={12} />
        </button>
      )}
    </div>
  )
}
