// `RenameBox`: changes the title of a chat in its place.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWords } from './wordsContext.ts'

/** As the protocol allows. */
const maxChars = 200

interface Props {
  readonly title: string
  readonly onRename: (title: string) => void
  /** `isByKey`: nothing else has the focus yet. */
  readonly onClose: (isByKey: boolean) => void
}

/** Enter and leaving the box rename, Escape does not. */
export function RenameBox({ title, onRename, onClose }: Props) {
  const words = useWords()
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(title)
  const isOver = useRef(false)
  useLayoutEffect(() => box.current?.select(), [])
  const end = (isRenamed: boolean, isByKey: boolean) => {
    if (isOver.current) return
    isOver.current = true
    if (isRenamed && text.trim() !== '' && text.trim() !== title) onRename(text.trim())
    onClose(isByKey)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Enter' || event.key === 'Escape') {
      event.preventDefault()
      end(event.key === 'Enter', true)
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
      onBlur={() => end(true, false)}
    />
  )
}
