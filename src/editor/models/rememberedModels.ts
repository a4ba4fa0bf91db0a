// The models of the last list, over restarts, so that the editor's picker and the chat have them before anybody is asked.
import type { Memento } from 'vscode'
import * as z from 'zod/mini'
import type { Model } from '../../core/model/catalog.ts'

const KEY = 'kourier.models'

const remembered = z.object({
  /** Whose list it is; that of another service or sign-in is worth nothing. */
  origin: z.string(),
  signIn: z.string(),
  models: z.array(
    z.object({
      id: z.string(),
      inputLimit: z.number(),
      totalLimit: z.exactOptional(z.number()),
      outputLimit: z.exactOptional(z.number()),
    }),
  ),
})

/** Whose models; an unknown part is nobody. */
export interface ListOwner {
  readonly origin: string | undefined
  /** Names the sign-in; no secret, and no address of a person. */
  readonly signIn: string | undefined
}

export function recallModels(memory: Memento, { origin, signIn }: ListOwner): readonly Model[] {
  const read = remembered.safeParse(memory.get(KEY))
  return read.success && read.data.origin === origin && read.data.signIn === signIn ? read.data.models : []
}

/** An empty list is none to remember. */
export async function rememberModels(memory: Memento, owner: ListOwner, models: readonly Model[]): Promise<void> {
  const { origin, signIn } = owner
  if (origin && signIn && models.length > 0) await memory.update(KEY, { origin, signIn, models })
}
