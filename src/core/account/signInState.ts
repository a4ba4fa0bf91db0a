// The state of a sign-in as one union, its events, and the transition table.
import type { LastSignIn } from '../../protocol/stored.ts'
import type { CodeStep } from './codeStep.ts'
import type { Service } from './discovery.ts'
import { SignInError } from './signInError.ts'
import type { CutOff } from './signInMemory.ts'

/** The sign-in methods: a code (device flow), the browser (authorization code), a key from the dashboard. */
export type SignInMethod = 'code' | 'browser' | 'pasted key'

/** Nothing is under way. `resumable`: what the user agreed to for a sign-in that can go on without another question. */
export interface IdleState {
  readonly is: 'idle'
  readonly resumable?: LastSignIn
}

/** A step of an attempt under way. */
export type SignInStep =
  /** Another window holds a key that this one cannot see; the user is asked whether to sign in here as well. */
  | { readonly is: 'asking about another window' }
  | { readonly is: 'asking for the address'; readonly address: AddressSource }
  | { readonly is: 'finding the service'; readonly address: AddressSource; readonly host: string }
  /** The service names a sign-in server on a host that the user has not seen. */
  | { readonly is: 'asking about the server'; readonly address: AddressSource; readonly host: string }
  /** The service is known; what is stored for it is being read. */
  | { readonly is: 'looking for a key'; readonly service: Service }
  | { readonly is: 'looking for email'; readonly service: Service }
  | { readonly is: 'waiting for email'; readonly service: Service }
  | { readonly is: 'waiting for consent'; readonly service: Service }
  | { readonly is: 'registering'; readonly service: Service; readonly agreed: LastSignIn }
  | {
      readonly is: 'code'
      readonly service: Service
      readonly agreed: LastSignIn
      readonly tag: string
      readonly step: CodeStep
    }
  /** `page`: where the user approves; undefined until it has been opened. */
  | { readonly is: 'browser'; readonly service: Service; readonly page: string | undefined }
  /** The browser has answered. */
  | { readonly is: 'fetching the key'; readonly service: Service }
  | { readonly is: 'waiting for a key'; readonly service: Service }
  | { readonly is: 'checking the key'; readonly service: Service }
  /** The key is being stored. A cancel or a sign-in of another window is ignored meanwhile, because the store decides. */
  | { readonly is: 'keeping the key'; readonly service: Service }

/** `named`: the user was asked for one in place of that in the settings, which do not hold it yet. */
export type AddressSource = 'settings' | 'named'

/** The final state of an attempt. */
export interface EndedState {
  readonly is: 'ended'
  readonly method: SignInMethod
  readonly ending: SignInEnding
  readonly resumable?: LastSignIn
}

export type SignInEnding =
  | { readonly why: 'signed in'; readonly service: string; readonly email: string | undefined }
  /** A key of this service was stored already. */
  | { readonly why: 'signed in before'; readonly service: string }
  /** The user closed a question before there was anything to send. */
  | { readonly why: 'closed' }
  /** The user did not agree to send an email. */
  | { readonly why: 'not agreed' }
  /** The service does not accept the pasted key. */
  | { readonly why: 'key refused'; readonly service: string }
  | { readonly why: 'cancelled' }
  /** Another window has signed in meanwhile. */
  | { readonly why: 'overtaken' }
  | { readonly why: 'window closed' }
  /** `place`: the name or the host of the service as far as it was known. */
  | {
      readonly why: 'failed'
      readonly fault: unknown
      readonly place: string | undefined
      readonly address: AddressSource
    }
  /** The sign-in of another window, which closed while it was under way. */
  | { readonly why: 'cut off'; readonly cutOff: CutOff }

export type SignInState = IdleState | SignInStep | EndedState
export type AttemptState = SignInStep | EndedState

/** Whether an answer that did not arrive may have carried a key. */
export type LostKey = 'none' | 'possible'

export type SignInEvent =
  | { readonly is: 'stepped'; readonly to: SignInStep }
  | { readonly is: 'finished'; readonly ending: SignInEnding }
  | { readonly is: 'failed'; readonly fault: unknown }
  | { readonly is: 'cancelled'; readonly lostKey: LostKey }
  | { readonly is: 'overtaken' }
  | { readonly is: 'window closed' }

export type EventName = SignInEvent['is']
export type StateName = AttemptState['is']

/** `ignore`: the event changes nothing. */
export type Transition = 'go on' | 'end' | 'ignore'

const underWay = {
  stepped: 'go on',
  finished: 'end',
  failed: 'end',
  cancelled: 'end',
  overtaken: 'end',
  'window closed': 'end',
} as const satisfies Record<EventName, Transition>

const decided = { ...underWay, cancelled: 'ignore', overtaken: 'ignore', 'window closed': 'ignore' } as const

const over = {
  stepped: 'ignore',
  finished: 'ignore',
  failed: 'ignore',
  cancelled: 'ignore',
  overtaken: 'ignore',
  'window closed': 'ignore',
} as const satisfies Record<EventName, Transition>

/** Every state with every event; the compiler keeps it complete. */
export const signInTable = {
  'asking about another window': underWay,
  'asking for the address': underWay,
  'finding the service': underWay,
  'asking about the server': underWay,
  'looking for a key': underWay,
  'looking for email': underWay,
  'waiting for email': underWay,
  'waiting for consent': underWay,
  registering: underWay,
  code: underWay,
  browser: underWay,
  'fetching the key': underWay,
  'waiting for a key': underWay,
  'checking the key': underWay,
  'keeping the key': decided,
  ended: over,
} as const satisfies Record<StateName, Record<EventName, Transition>>

export function nextState(state: AttemptState, event: SignInEvent, method: SignInMethod): AttemptState {
  const transition: Transition = signInTable[state.is][event.is]
  if (transition === 'ignore' || state.is === 'ended') return state
  if (event.is === 'stepped') return event.to
  const ending = endingOf(state, event)
  const resumable = hasRunOut(ending) && 'agreed' in state ? state.agreed : undefined
  return { is: 'ended', method, ending, ...(resumable && { resumable }) }
}

function endingOf(state: SignInStep, event: Exclude<SignInEvent, { is: 'stepped' }>): SignInEnding {
  switch (event.is) {
    case 'finished':
      return event.ending
    case 'failed':
      return failure(state, event.fault)
    case 'cancelled':
      return event.lostKey === 'possible' ? failure(state, new SignInError('lost')) : { why: 'cancelled' }
    case 'overtaken':
      return { why: 'overtaken' }
    case 'window closed':
      return { why: 'window closed' }
  }
}

function failure(state: SignInStep, fault: unknown): SignInEnding {
  return { why: 'failed', fault, place: placeOf(state), address: 'address' in state ? state.address : 'settings' }
}

function placeOf(state: SignInStep): string | undefined {
  if ('service' in state) return state.service.name
  return 'host' in state ? state.host : undefined
}

function hasRunOut(ending: SignInEnding): boolean {
  return ending.why === 'failed' && ending.fault instanceof SignInError && ending.fault.reason === 'run out'
}

/** Whether a sign-in is shown as under way. While only its first questions are open it is not. */
export function isSigningIn({ is }: SignInState): boolean {
  return is !== 'idle' && is !== 'ended' && is !== 'asking about another window' && is !== 'asking for the address'
}
