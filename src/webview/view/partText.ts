// `partText`: what a part of a message holds, as text, for where it cannot be drawn.

import type { Part } from '../../protocol/conversation.ts'
import { callInput, callOutput } from '../../protocol/foldedText.ts'

export function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return [part.name, callInput(part), callOutput(part) ?? ''].join('\n').trim()
    case 'change-set':
      return part.files.map(({ uri }) => uri).join('\n')
    case 'attachment':
      return part.name
    case 'image':
      return part.name ?? part.mediaType
    case 'notice':
      return `${part.values?.['text'] ?? ''}`
  }
}
