// `ColouredText`: renders the text of a code block with its colours, as far as they are known.
import type { ComponentChild, VNode } from 'preact'
import { splitMarks } from '../markdown/visible.ts'
import type { BlockColours, Chunk, Coloured } from '../state/blockColours.ts'
import type { Words } from '../words.ts'
import { Marked } from './marked.tsx'
import { styleClass } from './styleSheetRules.ts'
import { useWords } from './wordsContext.ts'

interface Props {
  text: string
  colours: BlockColours | undefined
}

export function ColouredText({ text, colours }: Props) {
  const words = useWords()
  const coloured = colours?.drawn.value
  if (!coloured || (coloured.chars === 0 && !coloured.open)) return <Marked text={text} />
  const { chunks, chars } = coloured
  const open = openLine(coloured, text)
  const rest = text.slice(chars + (open?.text.length ?? 0))
  return (
    <>
      {chunks.map(chunk => chunkNode(chunk, words))}
      <span class="code-lines">
        {open && lineNodes(open.text, open.spans, words)}
        <Marked text={rest} />
      </span>
    </>
  )
}

/** The colours of the growing line, unless it became another one meanwhile. */
function openLine({ chars, open }: Coloured, text: string): Coloured['open'] {
  return open && text.startsWith(open.text, chars) ? open : undefined
}

/** The same node for the same chunk, which Preact then does not look into. */
const chunkNodes = new WeakMap<Chunk, VNode>()

function chunkNode(chunk: Chunk, words: Words): VNode {
  const known = chunkNodes.get(chunk)
  if (known) return known
  const lines = chunk.text.split(/(?<=\n)/)
  const made = (
    <span class="code-lines">{joined(lines.flatMap((line, at) => lineNodes(line, chunk.spans[at] ?? [], words)))}</span>
  )
  chunkNodes.set(chunk, made)
  return made
}

/** Neighbouring texts become one. */
function joined(nodes: readonly ComponentChild[]): ComponentChild[] {
  const found: ComponentChild[] = []
  for (const node of nodes) {
    const last = found.at(-1)
    if (typeof node === 'string' && typeof last === 'string') found[found.length - 1] = last + node
    else found.push(node)
  }
  return found
}

/** A mark of invisible characters is one element, whatever tokens it is in. */
function lineNodes(line: string, spans: readonly number[], words: Words): ComponentChild[] {
  const parts = splitMarks(line, words)
  let start = 0
  return parts.flatMap((part, at) => {
    const from = start
    start += part.length
    return at % 2 === 1 ? [<span class="k-mark">{part}</span>] : styled(part, from, spans)
  })
}

/** The part of a line that begins at `from`; `spans` are those of the whole line. */
function styled(part: string, from: number, spans: readonly number[]): ComponentChild[] {
  const nodes: ComponentChild[] = []
  let end = 0
  let done = 0
  for (let at = 0; at < spans.length && done < part.length; at += 2) {
    end += spans[at] ?? 0
    const text = part.slice(done, Math.max(done, end - from))
    const style = spans[at + 1] ?? 0
    if (text) nodes.push(style === 0 ? text : <span class={styleClass(style)}>{text}</span>)
    done += text.length
  }
  if (done < part.length) nodes.push(part.slice(done))
  return nodes
}
