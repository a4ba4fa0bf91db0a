// `Answer`: renders Markdown, such as the text of an answer, as blocks, in groups that are rendered again only if a block changes.
import { Component } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { FromPage } from '../../protocol/panel.ts'
import { type Block, continueBlocks, noBlocks, wholeBlock } from '../markdown/markdown.ts'
import { Boundary } from './boundary.tsx'
import { FencedBlock } from './fencedBlock.tsx'
import { ItemNodes } from './itemNodes.ts'
import { LinkBudgetContext, newLinkBudget } from './linksContext.ts'
import { PlainText } from './plainText.tsx'
import { safeNodes } from './safeHtml.tsx'
import { isInFoldedRows } from './searchedTexts.ts'
import { useUndrawnCount } from './undrawnCount.ts'
import { useUnfolded } from './useUnfolded.ts'
import { useWords } from './wordsContext.ts'

const groupSize = 40

interface Callbacks {
  announce: (text: string) => void
  send: (message: FromPage) => void
}

/** `isOwn`: the user has written it. */
export function Answer({ text, isOwn = false, ...callbacks }: Callbacks & { text: string; isOwn?: boolean }) {
  const words = useWords()
  const made = useRef(noBlocks)
  made.current = continueBlocks(made.current, text, words, isOwn)
  const groups = inGroups(made.current.blocks)
  const left = useUndrawnCount(groups.length, 2)
  const budget = useRef(newLinkBudget()).current
  return (
    <LinkBudgetContext.Provider value={budget}>
      {groups.slice(0, groups.length - left).map((blocks, at) => (
        <Group
          key={at}
          isOneOfMany={groups.length > 1}
          blocks={blocks}
          announce={callbacks.announce}
          send={callbacks.send}
        />
      ))}
    </LinkBudgetContext.Provider>
  )
}

function inGroups(blocks: readonly Block[]): Block[][] {
  return Array.from({ length: Math.ceil(blocks.length / groupSize) }, (_, at) =>
    blocks.slice(at * groupSize, (at + 1) * groupSize),
  )
}

interface GroupProps extends Callbacks {
  blocks: readonly Block[]
  /** Those out of sight are not laid out. */
  isOneOfMany: boolean
}

class Group extends Component<GroupProps> {
  override shouldComponentUpdate({ blocks, isOneOfMany }: GroupProps): boolean {
    if (isOneOfMany !== this.props.isOneOfMany) return true
    return blocks.length !== this.props.blocks.length || blocks.some((block, at) => block !== this.props.blocks[at])
  }

  override render() {
    const { blocks, isOneOfMany, announce, send } = this.props
    return (
      <div class={isOneOfMany ? 'blocks many' : 'blocks'}>
        {blocks.map((block, at) => (
          <Boundary
            key={at}
            subject={block}
            fallback={<PlainText text={block.kind === 'html' ? block.source : block.text} />}
            onFault={text => send({ kind: 'report', text })}
          >
            <BlockView block={block} announce={announce} send={send} />
          </Boundary>
        ))}
      </div>
    )
  }
}

function BlockView({ block, announce, send }: Callbacks & { block: Block }) {
  if (block.kind === 'plain') return <PlainText text={block.text} />
  if (block.kind === 'code') {
    const { language, text, label, isClosed } = block
    const code = { language, text, label, isClosed }
    return <FencedBlock {...code} announce={announce} send={send} />
  }
  return <HtmlBlock block={block} announce={announce} send={send} />
}

function HtmlBlock({ block, announce, send }: Callbacks & { block: Extract<Block, { kind: 'html' }> }) {
  const words = useWords()
  const [isWhole, unfold] = useUnfolded(pattern => isInFoldedRows(block, pattern, words))
  const shown = useMemo(() => (isWhole ? wholeBlock(block, words) : block), [block, isWhole])
  const items = useMemo(() => new ItemNodes(), [])
  const nodes = useMemo(
    () =>
      shown.kind === 'html'
        ? safeNodes(shown.html, { codes: shown.codes, announce, send, unfold, items })
        : block.source,
    [shown],
  )
  return (
    <>
      {nodes}
      {shown.kind === 'html' && shown.hiddenRows > 0 && (
        <button type="button" class="quiet show-all" onClick={unfold}>
          {shown.hiddenRows === 1 ? words.of('moreRowsOne') : words.of('moreRows', { count: shown.hiddenRows })}
        </button>
      )}
    </>
  )
}
