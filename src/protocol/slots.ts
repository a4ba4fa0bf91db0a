// What the windows of a machine say to each other about slots.
import * as z from 'zod/mini'

/** Longest message in characters, its end of line not counted. */
export const MAX_CHARS_TO_COORDINATOR = 2_000
export const MAX_CHARS_FROM_COORDINATOR = 100_000
/** So many requests of one window and one lane stand in one line at once; it keeps what is more to itself. */
export const MAX_REQUESTS_PER_LANE = 40
/** So many of all five lanes. */
export const MAX_REQUESTS_PER_WINDOW = 5 * MAX_REQUESTS_PER_LANE
/** So many accounts one window may have requests of at once. */
export const MAX_ACCOUNTS_PER_WINDOW = 16

const id = z.int().check(z.minimum(0))
const durationMs = z.number().check(z.minimum(0), z.maximum(1e12))
const count = z.int().check(z.minimum(0), z.maximum(100_000))
const lane = z.enum(['chat', 'edit', 'agent', 'completion', 'background'])
/** Names an account without telling which: a hash with the key of the desk. */
const account = z.string().check(z.minLength(1), z.maxLength(100))
/** What the window is called, such as the name of its folder. */
const label = z.string().check(z.maxLength(100))
/** 0: learn the plan's number. */
const fixed = z.int().check(z.minimum(0), z.maximum(32))
const limit = z.int().check(z.minimum(1), z.maximum(32))
/** A limit that was learnt; `avoided`: these were refused so often, and are left alone for so long. */
const learned = z.object({
  limit,
  avoided: z
    .array(z.object({ limit, times: z.int().check(z.minimum(1), z.maximum(100)), forMs: durationMs }))
    .check(z.maxLength(32)),
})

/**
 * How a request ended: `answered` in full, `refused` by a 429, `cancelled` by us, `failed` in any other way. `isLeft`: the
 * answer was complete and we let go of the request, which the service had not closed.
 */
const outcome = z.discriminatedUnion('is', [
  z.object({ is: z.literal('answered'), isLeft: z.optional(z.boolean()) }),
  z.object({ is: z.literal('cancelled') }),
  z.object({ is: z.literal('failed') }),
  z.object({ is: z.literal('refused'), waitMs: z.optional(durationMs) }),
])

/** From a window to whoever gives out the slots. Times are told as durations: windows share no clock. */
export const toCoordinator = z.discriminatedUnion('kind', [
  /** The first message. `pass` stands beside the desk's address, in a file that only this user can read. */
  z.object({ kind: z.literal('hello'), pass: z.string().check(z.maxLength(100)), label }),
  /** How many requests at once; `learned` is what an earlier desk had told. */
  z.object({ kind: z.literal('limit'), account, fixed, learned: z.optional(learned) }),
  z.object({ kind: z.literal('ask'), account, id, lane, waitedMs: durationMs }),
  /** It has had a slot since an earlier desk gave it. */
  z.object({ kind: z.literal('hold'), account, id, lane }),
  /** Gives the slot back, or leaves the line. */
  z.object({ kind: z.literal('end'), account, id, outcome }),
  /** Has no request of this account any more, and wants to hear nothing more of its line. */
  z.object({ kind: z.literal('leave'), account }),
  /** All that an earlier desk knew of this window has been told. */
  z.object({ kind: z.literal('told') }),
  /** Still here. Sent while something is asked or held. */
  z.object({ kind: z.literal('beat') }),
])

/** The file that says where the desk is. */
export const coordinatorAddress = z.object({
  address: z.string().check(z.minLength(1), z.maxLength(300)),
  pass: z.string().check(z.minLength(16), z.maxLength(100)),
})

const holder = z.object({ window: label, lane, heldMs: durationMs, isOwn: z.boolean() })

export const fromCoordinator = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome') }),
  z.object({ kind: z.literal('grant'), id }),
  /** A person waits: cancel this request and give its slot back. */
  z.object({ kind: z.literal('yield'), id }),
  /** What the line of an account looks like now. `places` are those of this window's own requests, from 1. */
  z.object({
    kind: z.literal('line'),
    account,
    limit,
    learned,
    holders: z.array(holder).check(z.maxLength(500)),
    waiting: count,
    places: z.array(z.object({ id, place: count })).check(z.maxLength(MAX_REQUESTS_PER_WINDOW)),
  }),
  /** How many windows the desk serves. */
  z.object({ kind: z.literal('windows'), count }),
  z.object({ kind: z.literal('beat') }),
])

export type ToCoordinator = z.infer<typeof toCoordinator>
export type FromCoordinator = z.infer<typeof fromCoordinator>
export type LearnedLimit = z.infer<typeof learned>
export type Outcome = z.infer<typeof outcome>
export type SlotHolder = z.infer<typeof holder>
