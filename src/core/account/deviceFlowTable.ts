// The transition table of the device flow: what each answer of the service means in each step. The compiler checks that it is complete.
import type { Problem } from '../../protocol/wire/problem.ts'
import type { ContractError } from '../http/errors.ts'
import type { Code } from './registration.ts'

export const stepNames = [
  /** The user is asked for the email and the consent; nothing has been sent. */
  'asking',
  'registering',
  /** There is a code and no request on its way. */
  'showing',
  /** There is a code, and the service is being asked for the key. */
  'polling',
  /** The user wants another code. */
  'renewing',
  /** There is a key. */
  'storing',
  'done',
  'failed',
] as const
export type StepName = (typeof stepNames)[number]

/** An answer of the service to any request of the flow, classified by its error code and never by its status alone. */
export type Answer =
  | { readonly is: 'code'; readonly code: Code; readonly claimToken: string | undefined; readonly validMs: number }
  /** A registration or a renewal without a code, which this service shows elsewhere. */
  | { readonly is: 'no code' }
  | { readonly is: 'granted'; readonly key: string }
  | { readonly is: 'pending' }
  | { readonly is: 'slow down'; readonly waitMs: number | undefined }
  /** The code or the registration expired; `expired_token` is used for both. */
  | { readonly is: 'expired' }
  | { readonly is: 'denied'; readonly problem: Problem }
  /** The claim is not known any more: most likely its one answer with the key was lost on the way. */
  | { readonly is: 'lost'; readonly problem: Problem }
  /** The user has approved already; the key is on its way. */
  | { readonly is: 'claimed' }
  /** The registration is gone. */
  | { readonly is: 'over' }
  | Refused
  /** No answer, or one without information about the claim: ask again later. */
  | { readonly is: 'unclear'; readonly waitMs: number | undefined; readonly fault: unknown }

/** Not allowed, or not understood. */
interface Refused {
  readonly is: 'refused'
  readonly problem: Problem
  readonly waitMs?: number | undefined
  /** A key without the scope that was requested; it has to be revoked. */
  readonly key?: string
  /** A success without what was requested: the service refused nothing, but the flow cannot go on. */
  readonly fault?: ContractError
}

export type AnswerName = Answer['is']

export type Move =
  /** Show this code. */
  | 'show'
  | 'poll on'
  | 'poll slower'
  /** The code is of no use any more; the user is offered another. */
  | 'expire'
  /** No new code is needed: the old one has been used, and is polled for until the key comes. */
  | 'collect'
  /** The user may ask again. The old code stays, and is polled for, unless it may have been replaced. */
  | 'offer again'
  /** Store the key. */
  | 'keep'
  /** Revoke the key, because the sign-in has ended. */
  | 'revoke'
  /** The sign-in fails with the fault of `signInEnd`. */
  | 'end'
  | 'ignore'

/** In these steps no request is under way. An answer that arrives is late, and only a key in it matters. */
const late = {
  code: 'ignore',
  'no code': 'ignore',
  granted: 'revoke',
  pending: 'ignore',
  'slow down': 'ignore',
  expired: 'ignore',
  denied: 'ignore',
  lost: 'ignore',
  claimed: 'ignore',
  over: 'ignore',
  refused: 'ignore',
  unclear: 'ignore',
} as const satisfies Record<AnswerName, Move>

export const deviceFlowTable = {
  asking: late,
  registering: {
    code: 'show',
    'no code': 'end',
    granted: 'end',
    pending: 'end',
    'slow down': 'end',
    expired: 'end',
    denied: 'end',
    lost: 'end',
    claimed: 'end',
    over: 'end',
    refused: 'end',
    unclear: 'end',
  },
  showing: late,
  polling: {
    code: 'end',
    'no code': 'end',
    granted: 'keep',
    pending: 'poll on',
    'slow down': 'poll slower',
    expired: 'expire',
    denied: 'end',
    lost: 'end',
    claimed: 'poll on',
    over: 'end',
    refused: 'end',
    unclear: 'poll on',
  },
  renewing: {
    code: 'show',
    'no code': 'end',
    granted: 'keep',
    pending: 'offer again',
    'slow down': 'offer again',
    expired: 'end',
    denied: 'end',
    lost: 'end',
    claimed: 'collect',
    over: 'end',
    refused: 'end',
    unclear: 'offer again',
  },
  storing: late,
  done: late,
  failed: late,
} as const satisfies Record<StepName, Record<AnswerName, Move>>
