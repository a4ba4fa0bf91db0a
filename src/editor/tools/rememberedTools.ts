// `rememberedTools`: keeps which tools of others are selected for the workspace, in the editor's state and not in the workspace.
import type { Memento } from 'vscode'
import type { ForeignToolMemory } from '../../core/tools/foreignTools.ts'

const KEY = 'kourier.tools'

export function rememberedTools(memory: Memento): ForeignToolMemory {
  return {
    get: () => memory.get(KEY),
    set: async value => memory.update(KEY, value),
  }
}
