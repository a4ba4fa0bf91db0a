// The messages of the chat's head and of its history screen, both directions.
import * as z from 'zod/mini'

const conversation = z.string().check(z.minLength(1), z.maxLength(200))
/** The number of a query: the answer to an earlier one is ignored. */
const query = z.int().check(z.minimum(1))
const count = z.int().check(z.minimum(0))
/** The longest title that a user can write. */
export const TITLE_CHARS = 200

/** What an open conversation is doing. `following`: another window runs its turn. */
const sessionState = z.enum(['idle', 'waiting', 'answering', 'following', 'failed'])

const row = z.object({
  conversation,
  title: z.string(),
  /** Milliseconds since 1970. */
  updatedAt: z.number(),
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  /** Nothing was sent in it: the title is that of the unsent message. */
  isUnsent: z.optional(z.boolean()),
  /** The name of its workspace, in a list of all; none where it has no folder. */
  workspace: z.optional(z.string()),
  /** Of a search: the text around the match in one line, and the turn with it; none if only the title matches. */
  excerpt: z.optional(z.string()),
  turn: z.optional(z.string()),
})

/**
 * `archived` and `deleted`: only those; the other two are without them, except for archived ones that a search finds in
 * all workspaces.
 */
const scope = z.enum(['workspace', 'all', 'archived', 'deleted'])

export function isHistoryScope(value: string): value is HistoryScope {
  return scope.safeParse(value).success
}

const flag = z.enum(['pinned', 'archived', 'deleted'])

export const historyToPage = z.discriminatedUnion('is', [
  /** Shows the screen. */
  z.object({ is: z.literal('show') }),
  /** The conversation that the user has chosen is shown, here or elsewhere. */
  z.object({ is: z.literal('hide') }),
  /** `times`: when each conversation of the list was last changed, in the order of the list, pinned ones first. */
  z.object({
    is: z.literal('list'),
    query,
    pinnedCount: count,
    times: z.array(z.number()),
    rows: z.array(row),
    /** How many conversations cannot be listed because a later version wrote them. */
    laterCount: count,
  }),
  /** More of the list, from row number `from` on. */
  z.object({ is: z.literal('rows'), query, from: count, rows: z.array(row) }),
  /** The list may be another one now. */
  z.object({ is: z.literal('changed') }),
  /** The open conversations of this window, and facts about the one that the page shows. */
  z.object({
    is: z.literal('head'),
    /** The shown one and its title: the page need not have the content of its first turn. */
    conversation: z.string(),
    title: z.string(),
    place: z.enum(['side-bar', 'editor']),
    hasWorkspace: z.boolean(),
    sessions: z.array(z.object({ conversation, title: z.string(), state: sessionState })),
    /** What does not work with the journal of the shown conversation, a sentence each. */
    notices: z.array(z.string()),
  }),
  /** The turn to show when the conversation is drawn. */
  z.object({ is: z.literal('turn'), conversation, turn: z.string() }),
])

export const historyFromPage = z.discriminatedUnion('is', [
  /** The list, or what a search for `text` finds. */
  z.object({ is: z.literal('list'), query, text: z.string().check(z.maxLength(1_000)), scope }),
  z.object({ is: z.literal('rows'), query, from: count, count: count.check(z.maximum(1_000)) }),
  z.object({
    is: z.literal('open'),
    conversation,
    where: z.enum(['here', 'editor']),
    turn: z.optional(z.string().check(z.maxLength(200))),
  }),
  z.object({ is: z.literal('rename'), conversation, title: z.string().check(z.maxLength(TITLE_CHARS)) }),
  z.object({ is: z.literal('flag'), conversation, flag, value: z.boolean() }),
  z.object({ is: z.literal('export'), conversation }),
  z.object({ is: z.literal('import') }),
  /** Moves the shown conversation into an editor tab, or from there into the side bar. */
  z.object({ is: z.literal('move') }),
])

export type HistoryToPage = z.infer<typeof historyToPage>
export type HistoryFromPage = z.infer<typeof historyFromPage>
export type HistoryRow = z.infer<typeof row>
export type HistoryScope = z.infer<typeof scope>
export type HistoryFlag = z.infer<typeof flag>
export type OpenSessionState = z.infer<typeof sessionState>
export type ChatHead = Extract<HistoryToPage, { is: 'head' }>
