// `sentAttachments`: what was attached to a message that was sent, so that it can be attached again.
import type { ContextReference } from '../../protocol/contextReference.ts'
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import { isAutomatic } from './automaticContext.ts'

/** An image, or a text without a file. */
export type ContentPart = PartOf<'image'> | PartOf<'attachment'>

/** What can be read again, or what was sent. */
export type SentAttachment = ContextReference | ContentPart

/** Each once, without what goes along by itself: one reference may have become several parts, such as a folder. */
export function sentAttachments(prompt: readonly PromptPart[]): readonly SentAttachment[] {
  const found = new Map<string, SentAttachment>()
  for (const part of prompt) {
    if (part.kind === 'text' || isAutomatic(part)) continue
    const reference = part.reference ?? (part.kind === 'attachment' ? placeOf(part) : undefined)
    found.set(reference ? JSON.stringify(reference) : part.id, reference ?? part)
  }
  return [...found.values()]
}

/** Of a part that was sent before parts had a reference. */
function placeOf({ source, uri, range, name }: PartOf<'attachment'>): ContextReference | undefined {
  if (uri === undefined) return undefined
  if (source === 'file') return { source, uri }
  if (range && source === 'selection') return { source, uri, range }
  if (range && source === 'symbol') return { source, uri, range, name: name.slice(name.lastIndexOf('#') + 1) }
  return undefined
}
