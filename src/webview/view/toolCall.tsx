// `ToolCall`: one call of a tool in an answer, folded to a line; `toolSentence`.
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { callOutput, type InputChunk, inputChunks, textOfChunks } from '../../protocol/foldedText.ts'
import { givenInstructions } from '../../protocol/givenInstructions.ts'
import { objectOf } from '../../protocol/json.ts'
import type { Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { ChipIcon } from './chips.tsx'
import { Icon, type IconName } from './icon.tsx'
import { shortCount } from './shortCount.ts'
import { useFold } from './useFold.ts'
import { isInRest, useUnfolded } from './useUnfolded.ts'
import { VisibleText } from './visibleText.tsx'
import { useWords } from './wordsContext.ts'

type Call = PartOf<'tool-call'>

/** Longer texts are cut where a call is unfolded, except for what is searched; the model has them whole. */
const MOST_SHOWN_CHARS = 8_000
const PROGRESS_LINES = 6

const outcomes = {
  ok: undefined,
  error: 'toolFailed',
  denied: 'toolDenied',
  refused: 'toolRefused',
  stopped: 'toolStopped',
  interrupted: 'toolInterrupted',
} as const

/** What becomes of a call that has no result; undefined while its turn goes on. A context, because the part is the same then. */
export const TurnEndContext = createContext<'stopped' | 'interrupted' | undefined>(undefined)

export function ToolCall({ part, turn, store }: { part: Call; turn: string; store: Store }) {
  const words = useWords()
  const ended = useContext(TurnEndContext)
  const [isOpen, setOpen] = useFold(part.id)
  const { name, result, isWritten, approval } = part
  const isOver = result !== undefined || ended !== undefined
  const isAsked = approval?.state === 'asked' && !isOver
  const state = !result && ended ? words.of(outcomes[ended]) : isWritten && stateWords(part, words)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" class="tool" aria-label={words.of('tool', { name: sanitizeLine(name, 80) })}>
      <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <ToolIcon part={part} isWaiting={!isOver && !isAsked} isLost={!result && isOver} />
          <span class="tool-text">{toolSentence(part, words)}</span>
          {state && <span class="tool-state">{state}</span>}
        </summary>
        {isOpen && <Details part={part} store={store} />}
      </details>
      {!isOver && <Progress part={part} store={store} />}
      {!isOver && !isAsked && mayHang(name) && (
        <button type="button" class="quiet" onClick={() => store.stopCall(part.id)}>
          {words.of('stopCall')}
        </button>
      )}
      <Instructions part={part} open={uri => store.openPart(turn, part.id, uri)} />
    </div>
  )
}

/** An exploration and the tools of others can take long; a command is stopped where those that run are listed. */
const mayHang = (name: string) => name === 'explore' || icons[name] === undefined

/** The instruction files that came with the result, because the call has touched what they are for. */
function Instructions({ part: { result }, open }: { part: Call; open: (uri: string) => void }) {
  const words = useWords()
  const given = givenInstructions(result?.details)
  if (given.length === 0) return null
  return (
    <ul class="tool-instructions" aria-label={words.of('toolInstructions')}>
      {given.map(({ uri, path, sizeBytes, isLeftOut }) => {
        const name = sanitizeLine(path, 200)
        const label = words.of('openNamed', { name })
        return (
          <li key={uri} class="tool-instruction">
            <ChipIcon kind="instructions" />
            <span>
              {isLeftOut
                ? words.of('toolInstructionLeftOut', { path: name })
                : words.of('toolInstruction', { path: name, size: shortCount(sizeBytes) })}
            </span>
            <button type="button" class="icon-button" aria-label={label} title={label} onClick={() => open(uri)}>
              <Icon name="open" size={12} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The last lines of a call that runs. */
function Progress({ part: { id }, store }: { part: Call; store: Store }) {
  const text = store.progress.value.get(id)
  if (text === undefined || text === '') return null
  const lines = text.trimEnd().split('\n').slice(-PROGRESS_LINES)
  return (
    <pre class="tool-progress" aria-hidden="true">
      <VisibleText text={lines.join('\n')} />
    </pre>
  )
}

function stateWords({ result, approval }: Call, words: Words): string | undefined {
  if (!result) return approval?.state === 'asked' ? words.of('toolAsked') : undefined
  const outcome = outcomes[result.outcome]
  return outcome ? words.of(outcome) : commandEnd(result.details, words)
}

/** Of a command that has ended otherwise than well; what that means is the program's matter. */
function commandEnd(details: Readonly<Record<string, unknown>> | undefined, words: Words): string | undefined {
  const { exitCode, signal } = details ?? {}
  if (typeof signal === 'string') return words.of('toolSignal', { signal: sanitizeLine(signal, 20) })
  return typeof exitCode === 'number' && exitCode !== 0 ? words.of('toolExitCode', { code: `${exitCode}` }) : undefined
}

interface IconProps {
  part: Call
  isWaiting: boolean
  isLost: boolean
}

function ToolIcon({ part: { name, result }, isWaiting, isLost }: IconProps) {
  if (isWaiting) return <span class="tool-running" aria-hidden="true" />
  const hasFailed = isLost || (result !== undefined && result.outcome !== 'ok')
  return <Icon name={hasFailed ? 'warning' : (icons[name] ?? 'command')} size={14} />
}

const icons: Readonly<Record<string, IconName>> = {
  read_file: 'file',
  list_files: 'folder',
  search_text: 'find',
  find_symbol: 'symbol',
  problems: 'warning',
  edit_file: 'edit',
  write_file: 'newFile',
  move_file: 'change',
  delete_file: 'delete',
  run_command: 'terminal',
  check_command: 'terminal',
  update_plan: 'outline',
  explore: 'find',
}

/** What was asked for and what came of it, as the model wrote and read it. */
function Details({ part, store }: { part: Call; store: Store }) {
  const { id, name } = part
  const words = useWords()
  const isOmitted = useMemo(() => store.isOmitted(id), [store, id]).value
  const output = callOutput(part)
  return (
    <div class="tool-details" data-fold={id}>
      <Block label={words.of('toolInput')} chunks={inputChunks(part)} />
      {output !== undefined && <Block label={words.of('toolResult')} chunks={[{ text: output, isName: false }]} />}
      {isOmitted && <p class="muted small">{words.of('toolOmitted')}</p>}
      {name === 'run_command' && (
        <button type="button" class="quiet" onClick={() => store.showTerminal()}>
          {words.of('showTerminal')}
        </button>
      )}
    </div>
  )
}

interface BlockProps {
  label: string
  chunks: readonly InputChunk[]
}

function Block({ label, chunks }: BlockProps) {
  const words = useWords()
  const text = textOfChunks(chunks)
  const [isWhole] = useUnfolded(pattern => isInRest(text, MOST_SHOWN_CHARS, pattern))
  const isCut = !isWhole && text.length > MOST_SHOWN_CHARS
  return (
    <section aria-label={label}>
      <p class="muted small">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <pre class="tool-content" tabIndex={0}>
        {(isCut ? beginningOf(chunks, MOST_SHOWN_CHARS) : chunks).map((chunk, at) =>
          chunk.isName ? (
            <span key={at} class="tool-key">
              <VisibleText text={chunk.text} />
            </span>
          ) : (
            <VisibleText key={at} text={chunk.text} />
          ),
        )}
      </pre>
      {isCut && <p class="muted small">{words.of('toolCut', { count: text.length })}</p>}
    </section>
  )
}

function beginningOf(chunks: readonly InputChunk[], chars: number): readonly InputChunk[] {
  let left = chars
  return chunks.map(chunk => {
    const text = chunk.text.slice(0, left)
    left -= text.length
    return { ...chunk, text }
  })
}

/** What the call does, in a few words, by its arguments as far as they are written. */
export function toolSentence({ name, input, inputText }: Call, words: Words): string {
  const given = objectOf(input) ?? partialInput(inputText)
  const text = (member: string) => {
    const value = given[member]
    return typeof value === 'string' || typeof value === 'number' ? sanitizeLine(`${value}`, 200) : undefined
  }
  const path = text('path')
  switch (name) {
    case 'read_file':
      return path === undefined ? words.of('toolRead') : words.of('toolReadPath', { path: withLines(path, given) })
    case 'list_files':
      return words.of('toolListPath', { path: text('glob') ?? path ?? '/' })
    case 'search_text':
      return words.of('toolSearch', { pattern: text('pattern') ?? '' })
    case 'find_symbol':
      return words.of('toolSymbol', { name: text('name') ?? '' })
    case 'problems':
      return words.of('toolProblems')
    case 'edit_file':
      return words.of('toolEdit', { path: path ?? '' })
    case 'write_file':
      return words.of('toolWrite', { path: path ?? '' })
    case 'move_file':
      return words.of('toolMove', { path: text('from') ?? '', to: text('to') ?? '' })
    case 'delete_file':
      return words.of('toolDelete', { path: path ?? '' })
    case 'run_command':
      return words.of('toolRun', { command: text('command') ?? '' })
    case 'check_command':
      return words.of('toolCheck', { id: text('id') ?? '' })
    case 'update_plan':
      return words.of('toolPlan')
    case 'explore':
      return words.of('toolExplore', { task: text('task') ?? '' })
    default:
      return sanitizeLine(name, 80)
  }
}

function withLines(path: string, { from, lines }: Readonly<Record<string, unknown>>): string {
  if (typeof from !== 'number') return path
  return typeof lines === 'number' ? `${path}:${from}-${from + lines - 1}` : `${path}:${from}`
}

/** The first texts of arguments that are still being written. */
function partialInput(text: string): Readonly<Record<string, unknown>> {
  const found = [...text.slice(0, 2_000).matchAll(/"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}
