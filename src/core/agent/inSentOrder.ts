// `inSentOrder`: the parts of a question in the order in which the model reads them.
import type { PromptPart } from '../../protocol/conversation.ts'

/** The names of two parts that go along by themselves: what the user looks at, and the mode. */
export const SITUATION = 'situation'
export const MODE = 'mode'

/** Of what the user has attached. */
const USUAL = 3

/**
 * What is the same in many conversations comes before what is another in each, because services cache requests by their
 * beginning: the repository, the instruction files, the workspace; at the end the situation, the mode and the user's
 * words. Parts of equal rank stay in their order.
 */
export function inSentOrder(parts: readonly PromptPart[]): readonly PromptPart[] {
  return parts.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf(part: PromptPart): number {
  if (part.kind === 'text') return 6
  if (part.kind === 'image') return USUAL
  const { source, name, language, uri } = part
  switch (source) {
    case 'repository':
      // Its changes are no part of it.
      return language === 'diff' ? USUAL : 0
    case 'instructions':
      // Without a file it is a prompt that the user has chosen.
      return uri === undefined ? USUAL : 1
    case 'environment':
      return rankOfSurroundings(name)
    default:
      return USUAL
  }
}

function rankOfSurroundings(name: string): number {
  if (name === MODE) return 5
  return name === SITUATION ? 4 : 2
}
