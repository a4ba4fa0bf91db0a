// What an error answer asks of us: sign in, choose another model, wait, pay, or mend ourselves.
import { ContractError, isLasting, ProblemError, TooLargeError, TransportError } from './errors.ts'

export type Verdict =
  /** The network or the service stumbled; the same request may work in a moment. */
  | { readonly ask: 'retry' }
  /** The plan's limit, or a rate limit. */
  | { readonly ask: 'wait'; readonly waitMs: number | undefined }
  /** The key is no longer accepted. */
  | { readonly ask: 'signIn' }
  | { readonly ask: 'chooseModel' }
  /** The plan has no API access, or its budget is used up. */
  | { readonly ask: 'pay' }
  | { readonly ask: 'shorten' }
  /** Nothing that repeating would mend. */
  | { readonly ask: 'ours' }

/**
 * The one place that decides what a fault means. The HTTP status leads, then the policy word, then the text: gateways
 * agree on the first and differ in the others.
 */
export function verdictOf(fault: unknown): Verdict {
  if (fault instanceof TransportError) return isLasting(fault) ? { ask: 'ours' } : { ask: 'retry' }
  if (fault instanceof ContractError) return fault.what === 'empty' ? { ask: 'retry' } : { ask: 'ours' }
  if (fault instanceof TooLargeError) return { ask: 'ours' }
  if (!(fault instanceof ProblemError)) return { ask: 'ours' }
  return verdictOfProblem(fault)
}

function verdictOfProblem({ status, problem, waitMs }: ProblemError): Verdict {
  const words = `${problem.type ?? ''} ${problem.code ?? ''}`
  const said = `${words} ${problem.text ?? ''}`
  if (status === 429) return { ask: 'wait', waitMs }
  if (status === 401) return { ask: 'signIn' }
  if (status === 402) return { ask: 'pay' }
  if (status === 403) return verdictOfForbidden(words, problem.text ?? '')
  if (status === 413 || /context_length|context length|too long|maximum context/i.test(said)) return { ask: 'shorten' }
  // A gateway that does not know the model looks in vain for somebody who has it.
  if (/\bno keys found\b|could not auto resolve a provider/i.test(said)) return { ask: 'chooseModel' }
  if ((status === 404 || status === 400) && /\bmodel\b|model_/i.test(said)) return { ask: 'chooseModel' }
  if (status >= 500 || status === 408 || status === 409) return { ask: 'retry' }
  return { ask: 'ours' }
}

function verdictOfForbidden(words: string, text: string): Verdict {
  if (/virtual_key_|access_/.test(words)) return { ask: 'signIn' }
  if (/model|provider/.test(words) || /\bmodel\b/i.test(text)) return { ask: 'chooseModel' }
  return { ask: 'pay' }
}
