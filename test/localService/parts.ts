// What every route is given: the parts of the service, and what is known about the call.
import type { HttpBindings } from '@hono/node-server'
import type { Addresses } from './addresses.ts'
import type { Body } from './body.ts'
import type { Call, CallLog } from './callLog.ts'
import type { Clock } from './clock.ts'
import type { Dialect } from './dialect.ts'
import type { Faults } from './faults.ts'
import type { KeptState } from './keptState.ts'
import type { Key } from './keys.ts'
import type { Options } from './options.ts'
import type { Replies } from './replies.ts'
import type { Slots } from './slots.ts'
import type { State } from './state.ts'

export interface Parts {
  readonly options: Options
  readonly addresses: Addresses
  readonly clock: Clock
  /** Its fields may be changed at any time. */
  readonly dialect: Dialect
  readonly state: State
  /** The state file, where there is one. */
  readonly kept: KeptState | undefined
  readonly faults: Faults
  readonly replies: Replies
  readonly slots: Slots
  readonly log: CallLog
}

export interface Env {
  Bindings: HttpBindings
  Variables: {
    call: Call
    body: Body
    /** Aborted when the call is over: answered in full, or the client went away. */
    ended: AbortSignal
    /** The key behind an API request; set where `requireKey` ran before. */
    key: Key
  }
}
