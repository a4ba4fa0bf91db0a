// `ChangeRecord`: one line of the journal of the changes that the model made to the user's files.
import * as z from 'zod/mini'
import type { Immutable } from '../base/immutable.ts'

/** SHA-256 of a content that is kept; null where there is no file. */
const content = z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))
const seq = z.int().check(z.minimum(1))

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
  }),
  /** Written after the file was; `isDone` is false where it was not written. */
  z.object({ kind: z.literal('outcome'), seq, isDone: z.boolean() }),
  /** What is left of the change `seq` after hunks were kept and undone; the counts are those since the change. */
  z.object({
    kind: z.literal('review'),
    seq,
    before: content,
    after: content,
    keptHunks: z.int(),
    undoneHunks: z.int(),
  }),
])

export type ChangeRecord = Immutable<z.infer<typeof changeRecord>>
export type ChangeIntent = Extract<ChangeRecord, { kind: 'intent' }>
