// The models of the last list, over restarts, so that the editor's picker and the chat have them before anybody is asked.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { Model } from '../../core/model/catalog.ts'

const KEY = 'kourier.models'

const remembered = z.object({
  /** Whose list it is; that of another service is worth nothing. */
  origin: z.string(),
  models: z.array(
    z.object({
      id: z.string(),
      inputLimit: z.number(),
      totalLimit: z.exactOptional(z.number()),
      outputLimit: z.exactOptional(z.number()),
    }),
  ),
})

export function recallModels(memory: Memento, origin: string | undefined): readonly Model[] {
  const read = remembered.safeParse(memory.get(KEY))
  return read.success && read.data.origin === origin ? read.data.models : []
}

export async function rememberModels(memory: Memento, origin: string, models: readonly Model[]): Promise<void> {
  await memory.update(KEY, { origin, models })
}
