// `UnsentMessages`: what was written or attached and never sent, in chats without a message, as rows of the history.
import { clip, percentDecoded } from '../../base/text.ts'
import { type ConversationSummary, hasWords, searchWords } from '../../core/conversation/conversationList.ts'
import type { KeptAttachment } from '../../protocol/draft.ts'
import { listed } from '../ui/listed.ts'
import type { Draft } from './draft.ts'
import type { DraftMemory } from './draftMemory.ts'

export interface UnsentMessagesOptions {
  readonly drafts: Pick<DraftMemory, 'unsent' | 'take' | 'setDeleted'>
  /** The conversations that have a journal, and are in the list by that. */
  readonly stored: () => Promise<readonly string[]>
  /** A panel shows it. */
  readonly isOpen: (conversation: string) => boolean
  readonly workspace: string | undefined
}

const TITLE_CHARS = 200

export class UnsentMessages {
  readonly #options: UnsentMessagesOptions

  constructor(options: UnsentMessagesOptions) {
    this.#options = options
  }

  /** Those whose text has all the words; newest first. */
  async find(text: string): Promise<readonly ConversationSummary[]> {
    const { drafts, stored, isOpen } = this.#options
    const words = searchWords(text)
    const found = drafts.unsent.filter(([id, draft]) => !isOpen(id) && hasWords(wholeText(draft), words))
    if (found.length === 0) return []
    const known = new Set(await stored())
    return found
      .filter(([id]) => !known.has(id))
      .map(([id, draft]) => this.#summary(id, draft))
      .sort((a, b) => b.updatedAt - a.updatedAt)
  }

  /** Before it is opened. False where another window has it. */
  async take(conversation: string): Promise<boolean> {
    return await this.#options.drafts.take(conversation)
  }

  setDeleted(conversation: string, value: boolean): Promise<void> {
    return this.#options.drafts.setDeleted(conversation, value)
  }

  #summary(conversation: string, draft: Draft): ConversationSummary {
    const { workspace } = this.#options
    return {
      conversation,
      title: clip(wholeText(draft).replace(/\s+/g, ' ').trim(), TITLE_CHARS),
      createdAt: draft.at,
      updatedAt: draft.at,
      ...(workspace !== undefined && { workspace }),
      ...{ isPinned: false, isArchived: false, isDeleted: false, turnCount: 0, sizeBytes: 0 },
    }
  }
}

/** The text, or where there is none the names of what is attached. */
const wholeText = ({ text, attached = [] }: Draft) => (text.trim() === '' ? listed(attached.map(nameOf), 'unit') : text)

function nameOf(attached: KeptAttachment): string {
  if ('content' in attached) return attached.name
  const { reference } = attached
  const uri = 'uri' in reference ? (reference.uri ?? '') : ''
  return percentDecoded(uri.slice(uri.lastIndexOf('/') + 1))
}
