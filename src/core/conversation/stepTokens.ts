// `stepTokens`: the estimated tokens of a step, a prompt or a result, each counted once as long as it does not change.
import type { PromptPart, ToolResult } from '../../protocol/conversation.ts'
import type { Step, Turn } from '../../protocol/conversationState.ts'
import { IMAGE_TOKENS, messageTokens, textTokens } from '../model/tokenEstimate.ts'
import { type ResultsOf, stepMessages, userMessage } from './promptMessages.ts'

const steps = new WeakMap<Step, { readonly omitted: ReadonlySet<string>; readonly tokens: number }>()
const prompts = new WeakMap<readonly PromptPart[], number>()
const results = new WeakMap<ToolResult, number>()

export function stepTokens(step: Step, turn: Turn, of: ResultsOf): number {
  const { omitted } = of
  const known = steps.get(step)
  if (known?.omitted === omitted) return known.tokens
  const tokens = stepMessages([step], turn, of).reduce((sum, message) => sum + messageTokens(message), 0)
  // Whether a broken answer is sent depends on the steps after it.
  if (step.why !== 'broken') steps.set(step, { omitted, tokens })
  return tokens
}

export function promptTokens(prompt: readonly PromptPart[]): number {
  const known = prompts.get(prompt)
  if (known !== undefined) return known
  const tokens = messageTokens(userMessage(prompt))
  prompts.set(prompt, tokens)
  return tokens
}

export function resultTokens(result: ToolResult): number {
  const known = results.get(result)
  if (known !== undefined) return known
  const tokens = result.content.reduce(
    (sum, part) => sum + (part.kind === 'text' ? textTokens(part.text) : IMAGE_TOKENS),
    0,
  )
  results.set(result, tokens)
  return tokens
}
