// Every message between the extension and the chat webview, both directions.
import * as z from 'zod/mini'
import { conversationEvent } from './conversation.ts'
import { remedies } from './remedy.ts'

/** The extension does what the button says; the page only names it. */
const action = z.enum(remedies)
/** The id of the conversation that a message is about; empty before the page has any. */
const conversation = z.string().check(z.maxLength(200))

/** One plain sentence and the one button that mends it. */
const notice = z.object({
  text: z.string(),
  action: z.optional(z.object({ id: action, label: z.string() })),
})

/** Who is signed in, as the page draws it. */
const account = z.discriminatedUnion('is', [
  /** The stored credential is being read. */
  z.object({ is: z.literal('unknown') }),
  z.object({
    is: z.literal('out'),
    service: z.string(),
    canUseBrowser: z.optional(z.boolean()),
    notice: z.optional(notice),
  }),
  /** A sign-in is under way and there is nothing to type yet. `text` says what is being done. */
  z.object({ is: z.literal('signing-in'), service: z.string(), text: z.string() }),
  z.object({
    is: z.literal('code'),
    service: z.string(),
    /** Digits grouped for reading, such as `1234 5678`. */
    code: z.string(),
    host: z.string(),
    /** The same short tag that the service's page shows in our name. */
    tag: z.string(),
    /** The page's address for a phone: modules along one side, and the dark ones as an SVG path. */
    qr: z.optional(
      z.object({
        size: z.int().check(z.minimum(1), z.maximum(177)),
        path: z.string().check(z.regex(/^[Mhvz0-9 -]{1,200000}$/)),
      }),
    ),
    /** Milliseconds left at the moment of sending; 0 when the code has run out. The page counts on by itself. */
    remainingMs: z.number(),
    isRenewing: z.boolean(),
    /** What goes wrong meanwhile, in one sentence. */
    trouble: z.optional(z.string()),
  }),
  /** `notice`: how a sign-in ended that left the key of before in use. */
  z.object({
    is: z.literal('in'),
    service: z.string(),
    email: z.optional(z.string()),
    notice: z.optional(notice),
  }),
  /** The service no longer accepts the key. */
  z.object({ is: z.literal('refused'), service: z.string(), notice }),
])

/** Stands in the text of a wait until the time is known. */
export const TIME = '{time}'

/** What is being waited for. The page counts on by itself from `time`, in milliseconds at the moment of sending. */
const wait = z.object({
  /** With `TIME` where the time left, or the time since, belongs. */
  text: z.string(),
  time: z.optional(z.union([z.object({ left: z.number() }), z.object({ since: z.number() })])),
  /** Stands there instead when no time is left and nothing happens by itself. */
  over: z.optional(z.string()),
  /** More about it, a sentence each. */
  details: z.optional(z.array(z.string())),
})

/** What the conversation is doing now. */
const activity = z.discriminatedUnion('is', [
  z.object({ is: z.literal('idle') }),
  /** In line for a free slot, or holding back because the service asked for it. */
  z.object({
    is: z.literal('waiting'),
    wait,
    mayRetryNow: z.boolean(),
    /** Nothing is under way, so another question may be sent as well. */
    maySend: z.optional(z.boolean()),
  }),
  /** `wait`: it was sent, and nothing has come for a while. */
  z.object({ is: z.literal('answering'), wait: z.optional(wait) }),
  z.object({ is: z.literal('failed'), notice }),
])

export const toPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), account }),
  /** The conversation in front, from its first event on; more of them follow as `events`. */
  z.object({ kind: z.literal('replay'), conversation, events: z.array(conversationEvent) }),
  /** What has happened since; a gap before the first of them makes the page ask for what it has missed. */
  z.object({ kind: z.literal('events'), conversation, events: z.array(conversationEvent) }),
  z.object({ kind: z.literal('activity'), conversation, activity }),
  z.object({ kind: z.literal('model'), id: z.optional(z.string()) }),
  z.object({ kind: z.literal('settings'), sendOnEnter: z.boolean() }),
  /** What is left out in this window, and why; without a notice nothing is. */
  z.object({ kind: z.literal('limits'), notice: z.optional(notice) }),
  /** What was sent, or asked and not answered, goes back into the composer, to be changed there. */
  z.object({ kind: z.literal('draft'), conversation, text: z.string() }),
  /** What was written last, and when, as the page told it. */
  z.object({ kind: z.literal('kept-draft'), conversation, text: z.string(), at: z.number() }),
  /** Puts the keyboard into the composer. */
  z.object({ kind: z.literal('focus') }),
])

export const fromPage = z.discriminatedUnion('kind', [
  /** The page stands and wants everything. */
  z.object({ kind: z.literal('ready') }),
  /** The page has missed events: it wants those from number `from` on. */
  z.object({ kind: z.literal('replay'), conversation, from: z.int().check(z.minimum(1)) }),
  z.object({ kind: z.literal('send'), conversation, text: z.string().check(z.maxLength(2_000_000)) }),
  /** What stands unsent now. `at` is the page's wall clock in milliseconds. */
  z.object({ kind: z.literal('draft'), conversation, text: z.string().check(z.maxLength(4_000_001)), at: z.number() }),
  z.object({ kind: z.literal('stop'), conversation }),
  /** `conversation`: the one that is left. */
  z.object({ kind: z.literal('new-chat'), conversation }),
  z.object({ kind: z.literal('act'), conversation, action }),
  z.object({ kind: z.literal('copy-code') }),
  z.object({ kind: z.literal('open-browser') }),
  z.object({ kind: z.literal('cancel-sign-in') }),
  /** A link in an answer was clicked; the extension judges it again and asks. */
  z.object({ kind: z.literal('open'), url: z.string().check(z.maxLength(2_048)) }),
  /** Something in the page went wrong; for the log. */
  z.object({ kind: z.literal('report'), text: z.string().check(z.maxLength(2_000)) }),
])

export type Notice = z.infer<typeof notice>
export type PanelAccount = z.infer<typeof account>
export type PanelWait = z.infer<typeof wait>
export type PanelActivity = z.infer<typeof activity>
export type ToPage = z.infer<typeof toPage>
export type FromPage = z.infer<typeof fromPage>
