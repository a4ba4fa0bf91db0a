// `terminalSource`: what was selected in a terminal, or what its last command has written.
import { sanitizeLine } from '../../base/text.ts'
import type { ReferenceOf } from '../../protocol/contextReference.ts'
import type { ContextNames } from './contextNames.ts'
import type { ContextSource, Description, Resolved } from './contextSources.ts'
import type { FileAccess } from './fileAccess.ts'
import { matching } from './matching.ts'

const MOST_CHARS = 100_000

export function terminalSource(
  access: FileAccess,
  lastCommand: () => ReferenceOf<'terminal'> | undefined,
  names: ContextNames,
): ContextSource<'terminal'> {
  const describe = ({ name }: ReferenceOf<'terminal'>): Description => ({
    label: names.terminal,
    detail: sanitizeLine(name ?? '', 80),
    icon: 'terminal',
  })
  return {
    async *suggest(query) {
      const reference = lastCommand()
      if (reference) yield matching([{ reference, ...describe(reference) }], query)
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
