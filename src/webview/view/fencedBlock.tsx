// `FencedBlock`: a fenced block: code, or a diagram that can be drawn.
import { useEffect, useState } from 'preact/hooks'
import type { FromPage } from '../../protocol/panel.ts'
import type { DiagramResult } from '../lazyFiles.ts'
import type { Code } from '../markdown/markdown.ts'
import { CodeBlock } from './codeBlock.tsx'
import { Diagram } from './diagram.tsx'
import { drawDiagram } from './drawDiagram.ts'
import { onThemeChange } from './shownTheme.ts'
import { useWords } from './wordsContext.ts'

interface Props extends Code {
  announce: (text: string) => void
  send: (message: FromPage) => void
}

export function FencedBlock({ send, ...props }: Props) {
  if (props.language.toLowerCase() !== 'mermaid') return <CodeBlock {...props} />
  return <DiagramBlock {...props} send={send} />
}

type State =
  | { readonly is: 'source' | 'drawing' }
  | { readonly is: 'drawn'; readonly result: DiagramResult; readonly isAgain?: boolean }
  | { readonly is: 'failed'; readonly reason: string }

/** A message out of sight is not in the page; when it is again, its diagrams are as they were. */
const shown = new Map<string, DiagramResult>()
const maxShown = 30

function keep(text: string, result: DiagramResult): void {
  const [oldest] = shown.keys()
  if (shown.size >= maxShown && oldest !== undefined) shown.delete(oldest)
  shown.set(text, result)
}

function firstState(text: string): State {
  const result = shown.get(text)
  return result ? { is: 'drawn', result, isAgain: true } : { is: 'source' }
}

/** Drawn only when the user asks for it, which is possible as soon as all of its text is there. */
function DiagramBlock(props: Props) {
  const words = useWords()
  const { text, isClosed } = props
  const [last, setLast] = useState<{ readonly of: string; readonly state: State }>()
  const state = last?.of === text ? last.state : firstState(text)
  const setState = (next: State) => setLast({ of: text, state: next })
  const draw = async () => {
    if (state.is !== 'drawn') setState({ is: 'drawing' })
    const drawn = await drawDiagram(text, words)
    if (drawn.is === 'drawn') keep(text, drawn.result)
    setState(drawn.is === 'drawn' ? drawn : { is: 'failed', reason: drawn.reason })
  }
  const isDrawn = state.is === 'drawn'
  useEffect(() => (isDrawn ? onThemeChange(document.body, () => void draw()) : undefined), [isDrawn, text])
  const close = () => {
    shown.delete(text)
    setState({ is: 'source' })
  }
  if (isDrawn) return <Diagram {...props} result={state.result} takesFocus={!state.isAgain} onClose={close} />
  return (
    <>
      <CodeBlock
        {...props}
        actions={
          isClosed && (
            <button type="button" class="quiet diagram-action" disabled={state.is === 'drawing'} onClick={draw}>
              {words.of('drawDiagram')}
            </button>
          )
        }
      />
      <p class="code-note" role="status">
        {state.is === 'failed' ? state.reason : ''}
      </p>
    </>
  )
}
