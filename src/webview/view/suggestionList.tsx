// `SuggestionList`: the completions of a slash command or a mention, above the composer.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { SuggestionItem } from '../../protocol/draft.ts'
import { ChipIcon } from './chips.tsx'
import { optionId, type ShownSuggestions, SUGGESTIONS_ID } from './useSuggestions.ts'
import { useWords } from './wordsContext.ts'

export function SuggestionList({ suggestions }: { suggestions: ShownSuggestions }) {
  const words = useWords()
  const list = useRef<HTMLDivElement>(null)
  const { isOpen, items, active, take } = suggestions
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active, items])
  if (!isOpen) return null
  return (
    <div ref={list} id={SUGGESTIONS_ID} class="suggestions" role="listbox" aria-label={words.of('suggestions')}>
      {items.map((item, index) => (
        <Option key={index} item={item} index={index} isActive={index === active} take={take} />
      ))}
    </div>
  )
}

interface OptionProps {
  item: SuggestionItem
  index: number
  isActive: boolean
  take: (index: number) => void
}

/** The text box keeps the focus, so pressing the mouse must not move it. */
function Option({ item, index, isActive, take }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text box
    <div
      id={optionId(index)}
      role="option"
      tabIndex={-1}
      class={isActive ? 'suggestion active' : 'suggestion'}
      aria-selected={isActive}
      onMouseDown={event => event.preventDefault()}
      onClick={() => take(index)}
    >
      {!item.label.startsWith('/') && <ChipIcon kind={item.kind} />}
      <span class="suggestion-label">
        <Matched text={item.label} matches={item.labelMatches} />
      </span>
      {item.detail && (
        <span class="suggestion-detail">
          <Matched text={item.detail} matches={item.detailMatches} />
        </span>
      )}
    </div>
  )
}

function Matched({ text, matches }: { text: string; matches: readonly number[] }) {
  const shown = sanitizeLine(text, 300)
  // Escaping has moved the characters.
  if (matches.length === 0 || shown !== text) return <>{shown}</>
  const marked = new Set(matches)
  return runsOf(text, marked).map(([run, isMatch], at) => (isMatch ? <b key={at}>{run}</b> : run))
}

function runsOf(text: string, marked: ReadonlySet<number>): [string, boolean][] {
  const runs: [string, boolean][] = []
  for (let at = 0; at < text.length; at++) {
    const last = runs.at(-1)
    if (last && last[1] === marked.has(at)) last[0] += text.charAt(at)
    else runs.push([text.charAt(at), marked.has(at)])
  }
  return runs
}
