// `Picture`: an image of the user's, small; in its own size in a dialog when it is pressed.
import { useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const drawable = /^image\/(png|jpeg|gif|webp)$/

export function Picture({ part: { mediaType, base64, name } }: { part: PartOf<'image'> }) {
  const words = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const label = sanitizeLine(name ?? words.of('image'))
  if (!drawable.test(mediaType)) return <p class="attachment">{label}</p>
  const source = `data:${mediaType};base64,${base64}`
  const close = () => dialog.current?.close()
  const open = words.of('enlarge', { name: label })
  return (
    <>
      <button
        type="button"
        class="picture"
        aria-label={open}
        title={open}
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <img alt="" src={source} />
      </button>
      <dialog class="picture-dialog" aria-label={label} ref={dialog} onClick={close} onKeyDown={keepEscape}>
        <img alt={label} src={source} />
        <button
          type="button"
          class="icon-button"
          aria-label={words.of('close')}
          title={words.of('close')}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </dialog>
    </>
  )
}

/** Elsewhere Escape stops the answer. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.stopPropagation()
}
