// `undoTogether`: undoes changes of several conversations, which may have changed the same lines one after the other.
import type { Changes, ReviewOutcome, ReviewScope } from './changes.ts'

/** As of one scope, with the groups of all, in the order in which they were undone. */
export interface UndoneTogether extends Omit<ReviewOutcome, 'group'> {
  readonly groups: readonly { readonly conversation: string; readonly group: string }[]
}

/** What is left of one conversation is tried again once lines of another one are undone that may lie above it. */
export async function undoTogether(
  changes: Pick<Changes, 'undo'>,
  scopes: readonly ReviewScope[],
): Promise<UndoneTogether> {
  const last = new Map<ReviewScope, ReviewOutcome>()
  const written: { conversation: string; outcome: ReviewOutcome }[] = []
  for (let rest = scopes; rest.length > 0; ) {
    const before = written.length
    for (const scope of rest) {
      const outcome = await changes.undo(scope)
      last.set(scope, outcome)
      if (outcome.undone.length > 0) written.push({ conversation: scope.conversation, outcome })
    }
    const isWorthIt = scopes.length > 1 && written.length > before
    rest = isWorthIt ? rest.filter(scope => (last.get(scope)?.left ?? 0) > 0) : []
  }
  const outcomes = [...last.values()]
  const undone = written.flatMap(one => one.outcome.undone)
  return {
    left: outcomes.reduce((sum, { left }) => sum + left, 0),
    hasFailed: outcomes.some(({ hasFailed }) => hasFailed),
    undone: [...new Set(undone)],
    elsewhere: [...new Set(outcomes.flatMap(({ elsewhere }) => elsewhere))],
    gone: [...new Set(outcomes.flatMap(({ gone }) => gone))],
    taken: [...new Set(outcomes.flatMap(({ taken }) => taken))],
    groups: written.map(({ conversation, outcome: { group } }) => ({ conversation, group })),
  }
}
