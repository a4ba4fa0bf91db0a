// Which kind of problem an error answer reports.
import type { Problem } from '../../protocol/wire/problem.ts'
import type { FaultName } from './fault.ts'

export type ProblemKind = Exclude<FaultName<'problem'>, 'surface not offered'>

/**
 * The HTTP status leads, then the policy word, then the text: gateways agree on the first and differ in the others.
 */
export function problemKindOf(status: number, problem: Problem): ProblemKind {
  const { type = '', code = '', text = '' } = problem
  const words = `${type} ${code}`
  const said = `${words} ${text}`
  // No wait fills a budget again.
  if (status === 429) return /budget_exceeded|insufficient_quota/.test(words) ? 'plan' : 'limit'
  if (status === 401) return 'key rejected'
  if (status === 402) return 'plan'
  if (status === 403) return kindOfForbidden(words, text)
  if (status === 413 || TOO_LONG.test(said)) return 'too long'
  // A gateway that does not know the model looks in vain for somebody who has it.
  if (/\bno keys found\b|could not auto resolve a provider/i.test(said)) return 'model not granted'
  if (status === 400 && KEY_WORDS.test(words)) return 'key rejected'
  if ((status === 404 || status === 400) && isAboutModel(words, text)) return 'model not granted'
  if (status >= 500 || status === 408 || status === 409) return isOverload(status, words) ? 'overloaded' : 'trouble'
  return 'not accepted'
}

/** 529 is a status of the messages surface; other gateways answer 503 with the same word. */
const isOverload = (status: number, words: string) => status === 529 || /\boverloaded/.test(words)

/** As the services that are known say that a request holds more than the model reads. */
const TOO_LONG =
  /context.?(length|window|size)|maximum context|tokens? (count )?exceeds?\b|\b(prompt|input|messages|conversation|request|text) (is|are|was) too (long|large)\b/i

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

function kindOfForbidden(words: string, text: string): ProblemKind {
  if (KEY_WORDS.test(words)) return 'key rejected'
  if (/model|provider/.test(words) || /\bmodel\b/i.test(text)) return 'model not granted'
  return PLAN_WORDS.test(`${words} ${text}`.replaceAll('_', ' ')) ? 'plan' : 'forbidden'
}
