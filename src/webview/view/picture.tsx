// `Picture`: an image of the user's, small; in its own size in `PictureDialog` when it is pressed.
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const drawable = /^image\/(png|jpeg|gif|webp)$/

type Image = Pick<PartOf<'image'>, 'mediaType' | 'base64'>

/** The address of an image that the page may draw. */
export const pictureSource = ({ mediaType, base64 }: Image): string | undefined =>
  drawable.test(mediaType) ? `data:${mediaType};base64,${base64}` : undefined

export function Picture({ part }: { part: PartOf<'image'> }) {
  const words = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const label = sanitizeLine(part.name ?? words.of('image'))
  const source = pictureSource(part)
  if (source === undefined) return <p class="attachment">{label}</p>
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
      <PictureDialog dialog={dialog} label={label} source={source} />
    </>
  )
}

interface DialogProps {
  dialog: RefObject<HTMLDialogElement | null>
  label: string
  source: string
}

export function PictureDialog({ dialog, label, source }: DialogProps) {
  const words = useWords()
  const close = () => dialog.current?.close()
  return (
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
  )
}

/** Elsewhere Escape stops the answer. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.stopPropagation()
}
