// `updatePlanTool`: the list of steps that the model keeps and that the user sees; `planOf`.

import { answerParts, pathOf } from '../../protocol/conversationPath.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { objectOf } from '../../protocol/json.ts'
import type { Tool } from './tool.ts'
import { errorOutput, textOutput } from './toolOutput.ts'

const states = ['open', 'doing', 'done'] as const

export interface PlanItem {
  readonly text: string
  readonly state: (typeof states)[number]
}

const NAME = 'update_plan'
const MOST_ITEMS = 50

/** The list is in the conversation as the arguments of the last call, so it survives whatever is left out of a request. */
export const updatePlanTool: Tool = {
  name: NAME,
  description: `Replaces the list of steps of your work, which the user sees. Send the whole list each time, at most ${MOST_ITEMS} short items, with at most one of them being done now.`,
  parameters: {
    properties: {
      items: {
        type: 'array',
        description: 'All steps in their order. An empty list removes it.',
        items: {
          type: 'object',
          properties: {
            text: { type: 'string', description: 'What is done in the step, in a few words.' },
            state: { type: 'string', enum: states },
          },
          required: ['text', 'state'],
        },
      },
    },
    required: ['items'],
  },
  rights: 'none',
  async run(input) {
    const items = itemsOf(input)
    if (items.length > MOST_ITEMS)
      return errorOutput(`The list has ${items.length} items, and ${MOST_ITEMS} are shown. Join some.`)
    const done = items.filter(({ state }) => state === 'done').length
    return textOutput(`The list is shown: ${done} of ${items.length} done.`)
  },
}

function itemsOf(input: unknown): readonly PlanItem[] {
  const { items } = objectOf(input) ?? {}
  if (!Array.isArray(items)) return []
  return items.flatMap(item => {
    const { text, state } = objectOf(item) ?? {}
    const known = states.find(one => one === state)
    return typeof text === 'string' && known ? [{ text, state: known }] : []
  })
}

/** The list as it was last sent on the path; empty where there is none, or all of it was done in an earlier turn. */
export function planOf(state: ConversationState): readonly PlanItem[] {
  const turns = pathOf(state)
  for (const turn of turns.toReversed()) {
    const call = answerParts(turn).findLast(
      part => part.kind === 'tool-call' && part.name === NAME && part.result?.outcome === 'ok',
    )
    if (call?.kind !== 'tool-call') continue
    const items = itemsOf(call.input)
    return turn !== turns.at(-1) && items.every(item => item.state === 'done') ? [] : items
  }
  return []
}
