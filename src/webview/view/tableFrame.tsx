// `TableFrame`: a table that scrolls by itself and can be copied.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { type TableFormat, tableText } from '../markdown/tableText.ts'
import { CopyButton } from './copyButton.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  announce: (text: string) => void
  /** Shows the rows that are folded away, so that the copied text is visible. */
  unfold: () => void
  children: ComponentChildren
}

export function TableFrame({ announce, unfold, children }: Props) {
  const words = useWords()
  const frame = useRef<HTMLDivElement>(null)
  const copy = (format: TableFormat) => async () => {
    unfold()
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return tableText(rowsOf(frame.current), format)
  }
  return (
    <div class="table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page */}
      <div class="k-wide" role="group" aria-label={words.of('table')} tabIndex={0} ref={frame}>
        {children}
      </div>
      <div class="table-actions">
        <CopyButton label={words.of('copyTable')} text={copy('markdown')} announce={announce} />
        <CopyButton icon="table" label={words.of('copyTsv')} text={copy('tsv')} announce={announce} />
      </div>
    </div>
  )
}

function rowsOf(frame: Element | null): string[][] {
  return Array.from(frame?.querySelectorAll('tr') ?? [], row => Array.from(row.cells, textOf))
}

/** A formula as its source. */
function textOf(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? ''
  if (node.classList.contains('katex')) return `$${node.querySelector('annotation')?.textContent ?? ''}$`
  return Array.from(node.childNodes, textOf).join('')
}
