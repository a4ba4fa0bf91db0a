// The phrases for context that has no name of its own, in English.
import type { ContextNames } from '../../src/core/context/contextNames.ts'

export const contextNames: ContextNames = {
  selection: 'Selection',
  openEditors: 'Open editors',
  problems: 'Problems',
  staged: 'Staged changes',
  notStaged: 'Changes not staged',
  forCommit: 'Changes to commit',
  changes: 'All changes',
  changesIn: name => `Changes in ${name}`,
  repository: 'Whole repository',
  terminal: 'Terminal',
  runningCommand: command => `${command}, still running`,
}
