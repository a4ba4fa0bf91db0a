// `exitWords`: how a command ended, in words for the model.
import type { CommandEnd } from './commandPorts.ts'

const meanings: Readonly<Record<number, string>> = {
  126: 'the program was found and may not be executed',
  127: 'the program was not found',
  130: 'interrupted, as with Ctrl+C',
  137: 'killed, often because memory ran out',
  143: 'ended by a signal to terminate',
  3221225477: 'access violation',
  3221225781: 'a library of the program was not found',
  3221225786: 'interrupted, as with Ctrl+C',
  3221226505: 'a buffer of the program was overrun',
  9009: 'the program was not found',
}

/** Such as `exit code 127: the program was not found`. */
export function exitWords({ exitCode, signal }: Pick<CommandEnd, 'exitCode' | 'signal'>): string {
  if (signal !== undefined) return `ended by signal ${signal}`
  if (exitCode === undefined) return 'ended, and the system reported no exit code'
  // Windows reports some codes as negative numbers.
  const meaning = meanings[exitCode < 0 ? exitCode + 2 ** 32 : exitCode]
  return meaning ? `exit code ${exitCode}: ${meaning}` : `exit code ${exitCode}`
}
