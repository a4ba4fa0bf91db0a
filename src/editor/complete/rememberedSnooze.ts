// `rememberedSnooze`: keeps the end of a snooze in the state of the window's workspace.
import type { Memento } from 'vscode'
import type { SnoozeMemory } from '../../core/complete/snooze.ts'
import { countOf } from '../../protocol/json.ts'

const KEY = 'kourier.snoozedUntil'

export function rememberedSnooze(memory: Memento): SnoozeMemory {
  return {
    recall: () => countOf(memory.get(KEY)),
    keep: until => void memory.update(KEY, until),
  }
}
