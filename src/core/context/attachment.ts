// `attachment`: makes the part that is sent, with its size, and with names that cannot pass for instructions.
import { sanitizeLine } from '../../base/text.ts'
import type { PartOf } from '../../protocol/conversation.ts'

export type NewAttachment = Omit<PartOf<'attachment'>, 'kind' | 'id' | 'sizeChars' | 'text'> & { readonly text: string }

const NAME_CHARS = 300

export function attachment(id: string, { language, ...rest }: NewAttachment): PartOf<'attachment'> {
  const name = sanitizeLine(rest.name, NAME_CHARS)
  // The language becomes a word of the fence.
  const isPlain = language !== undefined && /^[\w+#.-]{1,40}$/.test(language)
  return { kind: 'attachment', id, ...rest, name, ...(isPlain && { language }), sizeChars: rest.text.length }
}
