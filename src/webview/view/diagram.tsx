// `Diagram`: a drawn diagram, fitted to the width or in its original size.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DiagramResult } from '../lazyFiles.ts'
import { CopyButton } from './copyButton.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  text: string
  result: DiagramResult
  announce: (text: string) => void
  /** The button that was pressed is no longer there. */
  takesFocus: boolean
  onClose: () => void
}

/** An image document, in which nothing runs and from which nothing is loaded. */
export function Diagram({ text, result: { svg, width, height }, announce, takesFocus, onClose }: Props) {
  const words = useWords()
  const close = useRef<HTMLButtonElement>(null)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (takesFocus) close.current?.focus({ preventScroll: true })
  }, [])
  const size = isWhole ? words.of('fitDiagram') : words.of('originalSize')
  return (
    <fieldset class="code diagram" aria-label={words.of('diagram')}>
      <div class="code-head">
        <button type="button" class="quiet diagram-action" ref={close} onClick={onClose}>
          {words.of('showSource')}
        </button>
        <CopyButton icon="image" label={words.of('copySvg')} text={() => svg} announce={announce} />
        <CopyButton label={words.of('copySource')} text={() => text} announce={announce} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <div class="diagram-body" tabIndex={0}>
        <button
          type="button"
          class={isWhole ? 'diagram-size whole' : 'diagram-size'}
          aria-label={size}
          title={size}
          onClick={() => setWhole(!isWhole)}
        >
          <img
            alt={words.of('diagram')}
            width={width}
            height={height}
            src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
          />
        </button>
      </div>
    </fieldset>
  )
}
