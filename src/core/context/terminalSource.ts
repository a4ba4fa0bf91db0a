// `terminalSource`: what was selected in a terminal, or what the last command of each one has written.
import { sanitizeLine } from '../../base/text.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextSource, Description, Resolved } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
import { matching, type Unmatched } from './matching.ts'

const MOST_CHARS = 100_000

/** What a command has written in a terminal so far. */
export interface TerminalCommand {
  readonly reference: ReferenceOf<'terminal'>
  readonly isRunning: boolean
}

/** `commands`: the last one of each terminal, the newest first. */
export function terminalSource(
  access: FileAccess,
  commands: () => readonly TerminalCommand[],
  names: ContextNames,
): ContextSource<'terminal'> {
  const describe = ({ name }: ReferenceOf<'terminal'>): Description => ({
    label: names.terminal,
    detail: sanitizeLine(name ?? '', 80),
    icon: 'terminal',
  })
  const suggestion = ({ reference, isRunning }: TerminalCommand): Unmatched => {
    const described = describe(reference)
    const detail = isRunning ? names.runningCommand(described.detail) : described.detail
    return { reference, ...described, detail, words: ['terminal', 'shell'] }
  }
  return {
    async *suggest(query) {
      const all = commands().map(suggestion)
      const named = matching(all, query)
      // All have the same label, so what distinguishes them can be typed as well.
      const typed = query.text.toLowerCase()
      const byCommand = named.length > 0 ? [] : all.filter(({ detail }) => detail.toLowerCase().includes(typed))
      yield [...named, ...byCommand.map(one => ({ ...one, labelMatches: [], detailMatches: [] }))]
    },
    describe,
    async resolve({ text, name }): Promise<Resolved> {
      const plain = plainTerminalText(text)
      if (plain.trim() === '') return { is: 'unavailable', why: 'empty', name: names.terminal }
      // The end of an output is what matters of it.
      const kept = plain.slice(-MOST_CHARS)
      const part = access.part({ source: 'terminal', name: name ?? names.terminal, text: kept })
      const isCut = kept.length < plain.length
      return { is: 'ready', parts: [part], omitted: isCut ? [{ why: 'budget', count: 1, names: [part.name] }] : [] }
    },
  }
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: taking them out is the purpose
/** Operating system commands end with BEL or ST; control sequences with a letter or a sign (ECMA-48 5.4). */
const escapes = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[@-Z\\-_=>]/g
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: taking them out is the purpose

/** Without colours and cursor movements; of a line that was written over, such as a progress bar, what remains. */
export function plainTerminalText(text: string): string {
  return text
    .replaceAll(escapes, '')
    .split(/\r*\n/)
    .map(line => line.replace(/\r+$/, ''))
    .map(line =>
      line
        .slice(line.lastIndexOf('\r') + 1)
        .replaceAll(controls, '')
        .trimEnd(),
    )
    .join('\n')
}
