// What an error answer asks of us: sign in, choose another model, wait, pay, or mend ourselves.
import {
  ContractError,
  isLasting,
  NotOfferedError,
  ProblemError,
  TooLargeError,
  TooLongError,
  TransportError,
} from './errors.ts'

export type Verdict =
  /** The network or the service stumbled; the same request may work in a moment, or when it said. */
  | { readonly ask: 'retry'; readonly waitMs?: number | undefined }
  /** The plan's limit, or a rate limit. */
  | { readonly ask: 'wait'; readonly waitMs: number | undefined }
  /** The key is no longer accepted. */
  | { readonly ask: 'signIn' }
  | { readonly ask: 'chooseModel' }
  /** The service does not offer the way in which it was asked; it offers another. */
  | { readonly ask: 'chooseSurface' }
  /** The plan has no API access, or its budget is used up. */
  | { readonly ask: 'pay' }
  /** Somebody does not allow it and does not say why: the plan, or a firewall or proxy on the way. */
  | { readonly ask: 'allow' }
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
  if (fault instanceof TooLongError) return { ask: 'shorten' }
  if (fault instanceof NotOfferedError) return { ask: 'chooseSurface' }
  if (!(fault instanceof ProblemError)) return { ask: 'ours' }
  return verdictOfProblem(fault)
}

/** As the services that are known say that a request holds more than the model reads. */
const TOO_LONG =
  /context.?(length|window|size)|maximum context|tokens? (count )?exceeds?\b|\b(prompt|input|messages|conversation|request|text) (is|are|was) too (long|large)\b/i

function verdictOfProblem({ status, problem, waitMs }: ProblemError): Verdict {
  const words = `${problem.type ?? ''} ${problem.code ?? ''}`
  const said = `${words} ${problem.text ?? ''}`
  // No wait fills a budget again.
  if (status === 429 && /budget_exceeded|insufficient_quota/.test(words)) return { ask: 'pay' }
  if (status === 429) return { ask: 'wait', waitMs }
  if (status === 401) return { ask: 'signIn' }
  if (status === 402) return { ask: 'pay' }
  if (status === 403) return verdictOfForbidden(words, problem.text ?? '')
  if (status === 413 || TOO_LONG.test(said)) return { ask: 'shorten' }
  // A gateway that does not know the model looks in vain for somebody who has it.
  if (/\bno keys found\b|could not auto resolve a provider/i.test(said)) return { ask: 'chooseModel' }
  if (status === 400 && KEY_WORDS.test(words)) return { ask: 'signIn' }
  if ((status === 404 || status === 400) && isAboutModel(words, problem.text ?? '')) return { ask: 'chooseModel' }
  if (status >= 500 || status === 408 || status === 409) return { ask: 'retry', waitMs }
  return { ask: 'ours' }
}

/** Which key, if any, the gateway means. `access_denied` is a word of firewalls too. */
const KEY_WORDS = /\bvirtual_key_|\baccess_(?!denied)/

const MODEL_WORDS =
  /\bmodel_(not_found|not_available|not_allowed|not_supported|unavailable|unknown|blocked|deprecated)|\b(unknown|invalid|unsupported)_model\b/
const ODD_MODEL = /\b(unknown|invalid|unsupported|unrecognized|no such) model\b(?! (output|response))/i
/** The model's name and two words more may stand between; what a model cannot do is no word about which one it is. */
const LOST_MODEL =
  /\bmodel\b:?(?:\s+\S+){0,3}?\s+(?:(?:not be|not|doesn't|don't|does not|not yet) (?:found|exist|available|allowed|granted|recognized)|unknown|blocked|unavailable|deprecated|retired|decommissioned)\b/i
const UNSUPPORTED_MODEL = /\bmodel\b:?(?:\s+\S+)?\s+is (?:not supported|unsupported)(?! with\b)/i
const NO_ACCESS = /\b(access to|allowed to (use|access)) (the |this |that )?model\b/i

/** Whether the model was refused, rather than what was asked of it. */
function isAboutModel(words: string, text: string): boolean {
  if (MODEL_WORDS.test(words) || (/\bnot_found/.test(words) && /\bmodel\b/i.test(text))) return true
  return [ODD_MODEL, LOST_MODEL, UNSUPPORTED_MODEL, NO_ACCESS].some(pattern => pattern.test(text))
}

const PLAN_WORDS =
  /\b(plan|tier|subscri\w*|billing|payment|budget|quota|credits?|upgrade|entitle\w*|early access|api access)\b/i

function verdictOfForbidden(words: string, text: string): Verdict {
  if (KEY_WORDS.test(words)) return { ask: 'signIn' }
  if (/model|provider/.test(words) || /\bmodel\b/i.test(text)) return { ask: 'chooseModel' }
  return { ask: PLAN_WORDS.test(`${words} ${text}`.replaceAll('_', ' ')) ? 'pay' : 'allow' }
}
