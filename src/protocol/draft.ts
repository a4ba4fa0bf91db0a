// What is attached to an unsent message: as it is kept with the draft, and as the page shows it.
import * as z from 'zod/mini'
import type { Immutable } from '../base/immutable.ts'
import { contextReference } from './contextReference.ts'

const id = z.string().check(z.minLength(1), z.maxLength(200))
const count = z.int().check(z.minimum(0))

/** What models take, by media type. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** An image, or a text that belongs to no file that can be read again. `content`: the name under which it is stored. */
const storedContent = z.object({
  content: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  name: z.string(),
  mediaType: z.string(),
  width: z.optional(count),
  height: z.optional(count),
})

export const keptAttachment = z.union([z.object({ reference: contextReference }), storedContent])

/** The kind of an attachment decides its icon. */
const chipKind = z.enum([
  'file',
  'folder',
  'selection',
  'symbol',
  'open-editors',
  'environment',
  'problems',
  'terminal',
  'git-change',
  'commit',
  'instructions',
  'repository',
  'image',
])

/**
 * `isAutomatic`: it goes along without the user having attached it.
 * `reading`: it is being read; `unavailable`: it cannot be sent, for the reason in `problem`. `notice`: what was left out
 * of it, as a sentence. `warning`: what the user has to know of it, as a sentence.
 */
export const chip = z.object({
  id,
  kind: chipKind,
  label: z.string(),
  detail: z.optional(z.string()),
  state: z.enum(['reading', 'ready', 'unavailable']),
  tokens: z.optional(count),
  problem: z.optional(z.string()),
  notice: z.optional(z.string()),
  warning: z.optional(z.string()),
  isAutomatic: z.optional(z.boolean()),
})

/** Something that is attached by one click, and is not sent before. */
export const offeredChip = z.object({
  offer: z.enum(['selection', 'active-file']),
  kind: chipKind,
  label: z.string(),
  detail: z.optional(z.string()),
})

/** What the user may insert into the message. `labelMatches`: the positions of the characters that the query matched. */
export const suggestionItem = z.object({
  kind: z.union([chipKind, z.literal('command'), z.literal('prompt')]),
  label: z.string(),
  detail: z.optional(z.string()),
  labelMatches: z.array(count),
  detailMatches: z.array(count),
  /** Replaces what was typed. */
  insert: z.string(),
  /** Nothing is asked of the model: Enter carries it out, once it is written in full. */
  acts: z.optional(z.boolean()),
})

export type KeptAttachment = Immutable<z.infer<typeof keptAttachment>>
export type ChipKind = z.infer<typeof chipKind>
export type Chip = Immutable<z.infer<typeof chip>>
export type OfferedChip = Immutable<z.infer<typeof offeredChip>>
export type SuggestionItem = Immutable<z.infer<typeof suggestionItem>>
