// `rememberedTraits`: keeps what completions have learnt about models in the editor's state, over restarts.
import type { Memento } from 'vscode'
import type { ModelMemory } from '../../core/complete/modelMemory.ts'
import { objectOf } from '../../protocol/json.ts'

const KEY = 'kourier.modelTraits'
/** Those that were learnt first are forgotten first. */
const MOST = 50

export function rememberedTraits(memory: Memento): ModelMemory {
  const entries = () => Object.entries(objectOf(memory.get(KEY)) ?? {})
  return {
    get: key => entries().find(([known]) => known === key)?.[1],
    set(key, value) {
      const others = entries().filter(([known]) => known !== key)
      const all = value === undefined ? others : [...others, [key, value]]
      void memory.update(KEY, Object.fromEntries(all.slice(-MOST)))
    },
  }
}
