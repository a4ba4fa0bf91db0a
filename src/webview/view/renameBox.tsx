// `RenameBox`: changes the title of a chat in its place.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWords } from './wordsContext.ts'

/** As the protocol allows. */
const maxChars = 200

interface Props {
  readonly title: string
  readonly onRename: (title: string) => void
  readonly onClose: () => void
}

/** Enter and leaving the box rename, Escape does not. */
export function RenameBox({ title, onRename, onClose }: Props) {
  const words = useWords()
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(title)
  const isOver = useRef(false)
  useLayoutEffect(() => box.current?.select(), [])
  const end = (isRenamed: boolean) => {
    if (isOver.current) return
    isOver.current = true
    if (isRenamed && text.trim() !== '' && text.trim() !== title) onRename(text.trim())
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Enter' || event.key === 'Escape') {
      event.preventDefault()
      end(event.key === 'Enter')
    }
  }
  return (
    <input
      ref={box}
      class="rename-box"
      aria-label={words.of('titleOfChat')}
      maxLength={maxChars}
      value={text}
      onInput={event => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
    />
  )
}
