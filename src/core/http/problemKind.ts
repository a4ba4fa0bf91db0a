// `problemKindOf`: which kind of problem an error response reports.
import type { Problem } from '../../protocol/wire/problem.ts'
import type { FaultName } from './fault.ts'

export type ProblemKind = Exclude<FaultName<'problem'>, 'surface not offered'>

/**
 * The HTTP status decides first, then the codes, then the text, because gateways agree on the status more than on the
 * others.
 */
export function problemKindOf(status: number, problem: Problem): ProblemKind {
  const { type = '', code = '', text = '' } = problem
  const words = `${type} ${code}`
  const details = `${words} ${text}`
  // Waiting does not restore a budget that is used up.
  if (status === 429) return /budget_exceeded|insufficient_quota/.test(words) ? 'plan' : 'limit'
  if (status === 401) return 'key rejected'
  if (status === 402) return 'plan'
  if (status === 403) return kindOfForbidden(words, text)
  if (status === 413 || TOO_LONG.test(details)) return 'too long'
  // How gateways report that none of their providers has the model.
  if (/\bno keys found\b|could not auto resolve a provider/i.test(details)) return 'model not granted'
  if (status === 400 && KEY_WORDS.test(words)) return 'key rejected'
  if ((status === 404 || status === 400) && isAboutModel(words, text)) return 'model not granted'
  if (status >= 500 || status === 408 || status === 409) return isOverload(status, words) ? 'overloaded' : 'trouble'
  return 'not accepted'
}

/** 529 `overloaded_error` is of the messages surface; a gateway in front of one may keep the word and not the status. */
const isOverload = (status: number, words: string) => status === 529 || /\boverloaded/.test(words)

/** The texts for a request longer than the model's context; `test/core/http/problemKind.test.ts` has examples. */
const TOO_LONG =
  /context.?(length|window|size)|maximum context|tokens? (count )?exceeds?\b|\b(prompt|input|messages|conversation|request|text) (is|are|was) too (long|large)\b/i

/** Codes about the API key. `access_denied` is left out, because firewalls use it too. */
const KEY_WORDS = /\bvirtual_key_|\baccess_(?!denied)/

const MODEL_WORDS =
  /\bmodel_(not_found|not_available|not_allowed|not_supported|unavailable|unknown|blocked|deprecated)|\b(unknown|invalid|unsupported)_model\b/
const ODD_MODEL = /\b(unknown|invalid|unsupported|unrecognized|no such) model\b(?! (output|response))/i
/** The model's name and two more words may be in between. Does not match a text about what a model cannot do. */
const LOST_MODEL =
  /\bmodel\b:?(?:\s+\S+){0,3}?\s+(?:(?:not be|not|doesn't|don't|does not|not yet) (?:found|exist|available|allowed|granted|recognized)|unknown|blocked|unavailable|deprecated|retired|decommissioned)\b/i
const UNSUPPORTED_MODEL = /\bmodel\b:?(?:\s+\S+)?\s+is (?:not supported|unsupported)(?! with\b)/i
const NO_ACCESS = /\b(access to|allowed to (use|access)) (the |this |that )?model\b/i

/** Whether the service refused the model, rather than what the request asks of it. */
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
