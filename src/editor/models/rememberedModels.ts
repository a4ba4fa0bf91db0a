// `rememberModels` and `recallModels`: keep the last list of models over restarts, so that a start needs no request.
import type { Memento } from 'vscode'
import type { Model } from '../../core/model/catalog.ts'
import { countOf, listOf, objectOf, textOf } from '../../protocol/json.ts'

const KEY = 'kourier.models'

/** The service and the sign-in that a list is for; nothing is kept while either is undefined. */
export interface ListOwner {
  readonly origin: string | undefined
  /** An id of the sign-in; neither a secret nor an email address. */
  readonly signIn: string | undefined
}

/** Nothing for another service or sign-in than that of the list. */
export function recallModels(memory: Memento, { origin, signIn }: ListOwner): readonly Model[] {
  const kept = objectOf(memory.get(KEY))
  if (!origin || !signIn || kept?.['origin'] !== origin || kept['signIn'] !== signIn) return []
  return listOf(kept['models']).flatMap(model => modelIn(model) ?? [])
}

function modelIn(value: unknown): Model | undefined {
  const model = objectOf(value)
  const id = textOf(model?.['id'])
  const inputLimit = countOf(model?.['inputLimit'])
  const totalLimit = countOf(model?.['totalLimit'])
  const outputLimit = countOf(model?.['outputLimit'])
  if (!id || inputLimit === undefined) return undefined
  return { id, inputLimit, ...(totalLimit && { totalLimit }), ...(outputLimit && { outputLimit }) }
}

/** Keeps the earlier list where `models` is empty. */
export async function rememberModels(memory: Memento, owner: ListOwner, models: readonly Model[]): Promise<void> {
  const { origin, signIn } = owner
  if (origin && signIn && models.length > 0) await memory.update(KEY, { origin, signIn, models })
}
