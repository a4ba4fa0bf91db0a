// `AddButtons`: the buttons that attach something: by a mention, and an image that is picked.
import { useRef } from 'preact/hooks'
import { type AttachTarget, attachFiles } from './attach.ts'
import { Icon, type IconName } from './icon.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  /** Begins a mention in the text box. */
  onMention: () => void
  target: AttachTarget
}

export function AddButtons({ onMention, target }: Props) {
  const words = useWords()
  const input = useRef<HTMLInputElement>(null)
  const pick = () => {
    const files = [...(input.current?.files ?? [])]
    if (input.current) input.current.value = ''
    void attachFiles(files, target)
  }
  return (
    <>
      <AddButton
        label={words.of('addContext')}
        title={words.of('addContextByDrag')}
        icon="attach"
        onClick={onMention}
      />
      <input ref={input} type="file" accept="image/*" multiple hidden onChange={pick} />
      <AddButton label={words.of('attachImage')} icon="image" onClick={() => input.current?.click()} />
    </>
  )
}

interface ButtonProps {
  label: string
  title?: string
  icon: IconName
  onClick: () => void
}

const AddButton = ({ label, title = label, icon, onClick }: ButtonProps) => (
  <button type="button" class="icon-button" aria-label={label} title={title} onClick={onClick}>
    <Icon name={icon} />
  </button>
)
