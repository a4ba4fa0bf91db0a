// `omittedResult`: the line that the model is sent in the place of a result that was left out; `callName`.
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'
import { objectOf } from '../../protocol/json.ts'

const MOST_CHARS = 160

/** Those that may be called again without doing anything twice. */
const reading: readonly string[] = [
  'read_file',
  'list_files',
  'search_text',
  'problems',
  'find_symbol',
  'check_command',
]

/** Names the call with its main arguments; what it did is in its arguments, which stay. */
export function omittedResult(part: PartOf<'tool-call'>): string {
  const { name, result } = part
  const call = callName(part)
  if (reading.includes(name)) return `${call}: left out, ${name === 'read_file' ? 'read' : 'call'} again if needed`
  return `${call}: ${result?.outcome === 'ok' ? 'carried out' : 'not carried out'}, its result is left out`
}

/** The tool and its main arguments in one line. */
export function callName({ name, input }: PartOf<'tool-call'>): string {
  return sanitizeLine([name, mainArguments(name, input)].filter(Boolean).join(' '), MOST_CHARS)
}

function mainArguments(name: string, input: unknown): string {
  const given = objectOf(input) ?? {}
  const { path, from, lines, to, pattern, glob, command, id, items } = given
  if (name === 'read_file') return `${text(path)}${lineWords(from, lines)}`
  if (name === 'move_file') return `${text(from)} to ${text(to)}`
  if (name === 'update_plan') return Array.isArray(items) ? `with ${items.length} items` : ''
  const main = [command, id, pattern, path, glob].map(text).filter(value => value !== '')
  if (main.length > 0) return main.join(' in ')
  return Object.keys(given).length > 0 ? JSON.stringify(given) : ''
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')

function lineWords(from: unknown, lines: unknown): string {
  const first = typeof from === 'number' ? from : 1
  if (typeof lines === 'number') return `, lines ${first} to ${first + lines - 1}`
  return typeof from === 'number' ? `, from line ${from}` : ''
}
