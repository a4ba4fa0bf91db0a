// `UndoNotice`: the notice that something was removed, with a button that undoes that and one that closes the notice.
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export interface UndoNoticeProps {
  readonly text: string
  readonly onUndo: () => void
  /** Without it the notice stays until what it reports has changed. */
  readonly onClose?: () => void
  readonly className?: string
}

export function UndoNotice({ text, onUndo, onClose, className }: UndoNoticeProps) {
  const words = useWords()
  return (
    <div class={className ? `note ${className}` : 'note'} role="status">
      <p>{text}</p>
      <div class="note-buttons">
        <button type="button" class="quiet" onClick={onUndo}>
          {words.of('undo')}
        </button>
        {onClose && (
          <button
            type="button"
            class="icon-button"
            aria-label={words.of('close')}
            title={words.of('close')}
            onClick={onClose}
          >
            <Icon name="close" size={12} />
          </button>
        )}
      </div>
    </div>
  )
}
