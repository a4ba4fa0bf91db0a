// `nothingUnsaved`: an editor in which the agent has changed nothing that is not saved.
import type { UnsavedFiles } from '../../src/core/tools/runCommandTool.ts'

export const nothingUnsaved: UnsavedFiles = {
  paths: async () => [],
  texts: async () => new Map(),
  save: async () => ({ failed: [], texts: new Map() }),
}
