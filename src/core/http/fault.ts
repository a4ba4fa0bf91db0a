// The table of all faults and what each means, and `Fault`, the class whose members are those of its row.
import type { Remedy } from '../../protocol/remedy.ts'

/** How far the request had come. `local`: there was no request, or it did not fail itself. */
export type FaultPlace = 'local' | 'before sending' | 'while waiting' | 'during the answer'

interface Row {
  readonly where: FaultPlace
  /** The same request may succeed later although nobody changes anything. */
  readonly mayRepeat?: true
  /** What the user can do about it. */
  readonly remedy?: Remedy
}

const unsent = { where: 'before sending', mayRepeat: true, remedy: 'retry' } as const
const unanswered = { where: 'while waiting', mayRepeat: true, remedy: 'retry' } as const
const passing = { where: 'during the answer', mayRepeat: true, remedy: 'retry' } as const
const answered = <R extends Remedy>(remedy: R) => ({ where: 'during the answer', remedy }) as const
const local = <R extends Remedy>(remedy: R) => ({ where: 'local', remedy }) as const
/** Until a setting is changed, the same request fails again. */
const misconfigured = { where: 'before sending', remedy: 'retry' } as const

/** Named `family: name`. A new row does not compile until the test of the sentences has an example of it. */
const faultTable = {
  // No response, or one that broke off (`TransportError`, which has a `where` of its own).
  'connection: name not found': unsent,
  'connection: refused': unsent,
  'connection: unreachable': unsent,
  'connection: connect timeout': unsent,
  'connection: certificate': { where: 'before sending', remedy: 'show-log' },
  /** The proxy refuses to open a tunnel. */
  'connection: proxy': misconfigured,
  /** The setting is not the address of a proxy, or its protocol is not supported. */
  'connection: proxy address': misconfigured,
  /** The proxy requires a name and a password, or others than those it received. */
  'connection: proxy sign-in': misconfigured,
  'connection: reset': unanswered,
  'connection: first byte timeout': unanswered,
  'connection: silence': unanswered,
  /** The connection was lost while the machine slept. */
  'connection: asleep': unanswered,

  // A response that cannot be used (`ContractError`, `TooLargeError`).
  /** A web page, such as a network's login page or a gateway's error page. */
  'answer: html': answered('retry'),
  'answer: redirect': answered('change-address'),
  'answer: not json': answered('show-log'),
  'answer: shape': answered('show-log'),
  'answer: empty': passing,
  /** Nothing at the address is a service that the extension supports. */
  'answer: no service': answered('change-address'),
  /** The page for the code of a sign-in has an address that must not be opened. */
  'answer: unsafe page': answered('show-log'),
  'answer: too large': answered('retry'),

  // The service reports an error (`ProblemError`, `NotOfferedError`).
  'problem: key rejected': answered('sign-in'),
  'problem: model not granted': answered('select-model'),
  /** The plan has no API access, or its budget is used up: waiting does not help. */
  'problem: plan': answered('open-dashboard'),
  /** Not allowed for a reason that the answer does not name: by the plan, or by a firewall or proxy on the way. */
  'problem: forbidden': answered('open-dashboard'),
  /** The plan's limit, or a rate limit. */
  'problem: limit': passing,
  'problem: overloaded': passing,
  'problem: trouble': passing,
  /** Longer than the model's context, as the service counts. */
  'problem: too long': answered('new-chat'),
  /** The service does not offer the surface that is set, but another. */
  'problem: surface not offered': answered('use-chat-completions'),
  'problem: not accepted': answered('show-log'),

  // A sign-in that ended without a key (`SignInError`).
  /** The user declined on the service's page, or the service could not make a key. */
  'sign-in: denied': answered('sign-in'),
  'sign-in: refused': answered('sign-in'),
  /** The time for it is over. */
  'sign-in: run out': local('resume-sign-in'),
  /** The browser did not return to the editor within the time for it. */
  'sign-in: unanswered': local('use-key'),
  /** A key may have been made, and its one answer did not arrive. */
  'sign-in: lost': answered('sign-in'),
  /** The service does not take this email address. */
  'sign-in: email': answered('sign-in'),
  /** Too many sign-ins in a short time. */
  'sign-in: too often': passing,
  /** The service does not offer this sign-in method. */
  'sign-in: not offered': answered('use-key'),
  /** The service shows the code elsewhere, so there is nothing to poll for. */
  'sign-in: no code': answered('use-key'),
  /** The service asks for a client id, and there is none. */
  'sign-in: no client': answered('use-key'),
  /** The service had a temporary fault of its own (RFC 6749 4.1.2.1). */
  'sign-in: trouble': passing,
  /** The browser's answer came from another server than the one that was asked (RFC 9207 2.4). */
  'sign-in: mixed up': local('sign-in'),

  // An operation of the keyring failed (`KeyringError`).
  'keyring: failed': local('retry'),
  /** It does not answer, perhaps because it shows a question that the user does not see. */
  'keyring: silent': local('retry'),
  /** It returned something else than what was written. */
  'keyring: forgot': local('retry'),

  // Found by the extension itself.
  /** Longer than the model's context, found before anything was sent (`TooLongError`). */
  'request: too long': local('new-chat'),
  /** There is no model to ask: the user has to name one (`NoModelError`). */
  'request: no model': local('select-model'),
  /** The model or a filter of the service declined (`RefusedError`): only a different question helps. */
  'request: declined': { where: 'during the answer' },
  /** The model called a tool in place of an answer, and no tool was offered (`UnofferedCallError`). */
  'request: unoffered call': answered('retry'),
  /** A later version of the extension wrote the conversation (`LaterJournalError`). */
  'history: later version': { where: 'local' },
  /** The system does not let the extension read the file of a conversation (`JournalAccessError`). */
  'history: no access': { where: 'local' },
  /** The editor did not write a setting (`SettingsError`). */
  'settings: not written': local('open-settings'),
  /** A bug of the extension: what was thrown is none of these faults. */
  'program: unexpected': local('show-log'),
} as const satisfies Readonly<Record<string, Row>>

export type FaultKind = keyof typeof faultTable

/** The names of one family, such as `FaultName<'keyring'>`. */
export type FaultName<Family extends string, Kind = FaultKind> = Kind extends `${Family}: ${infer Name}` ? Name : never

/** What a fault means, whatever its class is. */
export interface FaultMeaning {
  readonly kind: FaultKind
  readonly where: FaultPlace
  /** The service may have received the request, and acted on it. */
  readonly wasSent: boolean
  readonly mayRepeat: boolean
  /** How long the service asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
  readonly remedy: Remedy | undefined
}

export interface FaultDetails {
  /** Where it happened, if not at the place in the table. */
  readonly where?: FaultPlace | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A fault of the table. Its text is for the log and is never parsed. */
export abstract class Fault extends Error implements FaultMeaning {
  readonly kind: FaultKind
  readonly where: FaultPlace
  readonly mayRepeat: boolean
  readonly retryAfterMs: number | undefined
  readonly remedy: Remedy | undefined

  constructor(kind: FaultKind, text: string, { where, retryAfterMs, cause }: FaultDetails = {}) {
    super(text, { cause })
    const row: Row = faultTable[kind]
    this.kind = kind
    this.where = where ?? row.where
    this.mayRepeat = row.mayRepeat === true
    this.remedy = row.remedy
    this.retryAfterMs = retryAfterMs
  }

  get wasSent(): boolean {
    return this.where === 'while waiting' || this.where === 'during the answer'
  }
}

const unexpected: FaultMeaning = {
  kind: 'program: unexpected',
  wasSent: false,
  mayRepeat: false,
  retryAfterMs: undefined,
  ...faultTable['program: unexpected'],
}

/** The meaning of anything thrown; what is no `Fault` is a bug of the extension. */
export function meaningOf(thrown: unknown): FaultMeaning {
  return thrown instanceof Fault ? thrown : unexpected
}

/** Every kind, in the order of the table. */
export const faultKinds = Object.keys(faultTable) as readonly FaultKind[] // as: the keys of a closed object
