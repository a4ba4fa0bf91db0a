// `ChangeRecord`: one line of the journal of the changes that the model made to the user's files.
import * as z from 'zod/mini'
import type { Immutable } from '../base/immutable.ts'

/** SHA-256 of a content that is kept; null where there is no file. */
const content = z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))
const seq = z.int().check(z.minimum(1))

/** What is left of the change `seq` after hunks were kept and undone; the counts are those since the change. */
const review = z.object({ seq, before: content, after: content, keptHunks: z.int(), undoneHunks: z.int() })

export const changeRecord = z.discriminatedUnion('kind', [
  /** Written before the file is. `from`: the file's name before, of one that is renamed. */
  z.object({
    kind: z.literal('intent'),
    seq,
    time: z.number(),
    turn: z.string(),
    change: z.enum(['modified', 'created', 'deleted', 'renamed']),
    uri: z.string(),
    from: z.optional(z.string()),
    before: content,
    after: content,
    /** The file before the change, byte for byte, where it was not just `before` as UTF-8; and its mode. */
    image: z.optional(z.object({ bytes: content, mode: z.optional(z.int()) })),
    /**
     * The bytes of the file after the change, where it is no change of its text: of line ends, encoding or mode, or of a
     * file without text. It is kept or undone as a whole, and `bytes` of `image` is then never null.
     */
    whole: z.optional(z.object({ bytes: content })),
    /** The mode of the file after the change, where the change may have made it another one. */
    mode: z.optional(z.int()),
    /** Where its names led at that time, of those that led to another file through a link. */
    linkTargets: z.optional(z.array(z.string())),
    /** How many folders were made for it: the ones that it is in, the nearest first. */
    newFolders: z.optional(z.int()),
    /** Of a change that undoes others: what is left of them after it. Nothing of it is left to review itself. */
    undoes: z.optional(z.array(review)),
    /** Found while a command went on in the background, so somebody else may have made it. */
    isLate: z.optional(z.literal(true)),
  }),
  /** Written after the file was; `isDone` is false where it was not written. Of several the last one counts. */
  z.object({ kind: z.literal('outcome'), seq, isDone: z.boolean() }),
  z.extend(review, { kind: z.literal('review') }),
])

export type ChangeRecord = Immutable<z.infer<typeof changeRecord>>
export type ChangeReview = Immutable<z.infer<typeof review>>
export type ChangeIntent = Extract<ChangeRecord, { kind: 'intent' }>
