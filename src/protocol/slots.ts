// The messages between a window and the coordinator of slots, and the file with the coordinator's address.
import * as z from 'zod/mini'
import { MAX_REQUESTS_PER_WINDOW } from './slotLimits.ts'

const id = z.int().check(z.minimum(0))
const durationMs = z.number().check(z.minimum(0), z.maximum(1e12))
const count = z.int().check(z.minimum(0), z.maximum(100_000))
const lane = z.enum(['chat', 'edit', 'agent', 'completion', 'background'])
/** The account as a hash with the coordinator's `pass`, from which the account cannot be read. */
const account = z.string().check(z.minLength(1), z.maxLength(100))
/** What the window is called, such as the name of its folder. */
const label = z.string().check(z.maxLength(100))
/** 0: learn the plan's number. */
const fixed = z.int().check(z.minimum(0), z.maximum(32))
const limit = z.int().check(z.minimum(1), z.maximum(32))
/** A limit that was learnt; `avoided`: the limits that were refused, how often, and how long they are not tried again. */
const learned = z.object({
  limit,
  avoided: z
    .array(z.object({ limit, times: z.int().check(z.minimum(1), z.maximum(100)), forMs: durationMs }))
    .check(z.maxLength(32)),
})

/**
 * How a request ended: `answered` in full, `refused` by a 429, `cancelled` by us, `failed` in any other way. `isLeft`: the
 * answer was complete, and we closed the request because the service had not.
 */
const outcome = z.discriminatedUnion('is', [
  z.object({ is: z.literal('answered'), isLeft: z.optional(z.boolean()) }),
  z.object({ is: z.literal('cancelled') }),
  z.object({ is: z.literal('failed') }),
  z.object({ is: z.literal('refused'), waitMs: z.optional(durationMs) }),
])

/** From a window to the coordinator. Times are sent as durations, because windows share no clock. */
export const toCoordinator = z.discriminatedUnion('kind', [
  /** The first message. `pass` is in the file with the coordinator's address, which only this user can read. */
  z.object({ kind: z.literal('hello'), pass: z.string().check(z.maxLength(100)), label }),
  /** How many requests at once; `learned` is what an earlier coordinator had sent. */
  z.object({ kind: z.literal('limit'), account, fixed, learned: z.optional(learned) }),
  z.object({ kind: z.literal('ask'), account, id, lane, waitedMs: durationMs }),
  /** The request holds a slot that an earlier coordinator granted. */
  z.object({ kind: z.literal('hold'), account, id, lane }),
  /** Releases the slot, or leaves the queue. */
  z.object({ kind: z.literal('end'), account, id, outcome }),
  /** The window has no request of this account any more, and needs no more messages about its queue. */
  z.object({ kind: z.literal('leave'), account }),
  /** The window has sent all that an earlier coordinator knew of it. */
  z.object({ kind: z.literal('told') }),
  /** The heartbeat, sent while a request waits or holds a slot. */
  z.object({ kind: z.literal('beat') }),
])

/** The content of the file by which windows find the coordinator. */
export const coordinatorAddress = z.object({
  address: z.string().check(z.minLength(1), z.maxLength(300)),
  pass: z.string().check(z.minLength(16), z.maxLength(100)),
})

const holder = z.object({ window: label, lane, heldMs: durationMs, isOwn: z.boolean() })

export const fromCoordinator = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome') }),
  z.object({ kind: z.literal('grant'), id }),
  /** An urgent request waits: cancel this one and end its slot. */
  z.object({ kind: z.literal('yield'), id }),
  /** The queue of an account. `places` are those of this window's own requests, from 1. */
  z.object({
    kind: z.literal('line'),
    account,
    limit,
    learned,
    holders: z.array(holder).check(z.maxLength(500)),
    waiting: count,
    places: z.array(z.object({ id, place: count })).check(z.maxLength(MAX_REQUESTS_PER_WINDOW)),
  }),
  /** How many windows are connected to the coordinator. */
  z.object({ kind: z.literal('windows'), count }),
  z.object({ kind: z.literal('beat') }),
])

export type ToCoordinator = z.infer<typeof toCoordinator>
export type FromCoordinator = z.infer<typeof fromCoordinator>
export type LearnedLimit = z.infer<typeof learned>
export type Outcome = z.infer<typeof outcome>
export type SlotHolder = z.infer<typeof holder>
