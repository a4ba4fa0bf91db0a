// `refusesTools`: whether a service has refused a request because its model cannot call tools.
import { ProblemError } from '../http/errors.ts'

/**
 * Servers of open models answer so for models without a template for tools: Ollama "… does not support tools"
 * (ollama/ollama#6061), vLLM "… tool choice requires --enable-auto-tool-choice …" (vllm-project/vllm#10018), OpenAI-like
 * services "'tools' is not supported with this model".
 */
export function refusesTools(fault: unknown): boolean {
  if (!(fault instanceof ProblemError) || ![400, 404, 422, 501].includes(fault.status)) return false
  const { text = '' } = fault.problem
  return /\b(?:tools?|tool_choice|function.?call\w*)\b/i.test(text) && /support|require|enable/i.test(text)
}
