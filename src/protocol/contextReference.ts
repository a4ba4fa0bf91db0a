// What a chip of attached context refers to, before it is resolved: small enough to be kept in a draft.
import * as z from 'zod/mini'
import type { Immutable } from '../base/immutable.ts'
import { textRange } from './textRange.ts'

const uri = z.string().check(z.minLength(1), z.maxLength(4_096))
const name = z.string().check(z.maxLength(1_000))

/** One problem as the editor lists it; it is looked up again by these members when the reference is resolved. */
const problem = z.object({ range: textRange, message: z.string() })

export const contextReference = z.discriminatedUnion('source', [
  z.object({ source: z.literal('file'), uri }),
  z.object({ source: z.literal('folder'), uri }),
  z.object({ source: z.literal('selection'), uri, range: textRange }),
  z.object({ source: z.literal('symbol'), uri, range: textRange, name }),
  z.object({ source: z.literal('open-editors') }),
  /** Without `uri` those of the whole workspace; with `problem` only that one. */
  z.object({ source: z.literal('problems'), uri: z.optional(uri), problem: z.optional(problem) }),
  /** `text`: what was selected, or the command's output, at the time. */
  z.object({ source: z.literal('terminal'), text: z.string().check(z.maxLength(1_000_000)), name: z.optional(name) }),
  /**
   * Without `uri` every file. `isStaged`: only what is staged, or only what is not; without it both. `isForCommit`: what
   * is staged, or where nothing is, both.
   */
  z.object({
    source: z.literal('git-change'),
    uri: z.optional(uri),
    isStaged: z.optional(z.boolean()),
    isForCommit: z.optional(z.boolean()),
  }),
  z.object({
    source: z.literal('commit'),
    repository: uri,
    hash: z.string().check(z.regex(/^[0-9a-f]{4,64}$/)),
    subject: name,
  }),
  z.object({ source: z.literal('instructions'), uri }),
  /** All the tracked files of the workspace. */
  z.object({ source: z.literal('repository') }),
])

export type ContextReference = Immutable<z.infer<typeof contextReference>>
export type ContextSourceName = ContextReference['source']
export type ReferenceOf<S extends ContextSourceName> = Extract<ContextReference, { source: S }>
