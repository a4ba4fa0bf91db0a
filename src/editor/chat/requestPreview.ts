// `RequestPreview`: shows the exact request that the unsent message of a conversation would be.
import { l10n, window } from 'vscode'
import type { Session } from '../../core/agent/session.ts'
import { declarations, turnRequest } from '../../core/agent/turnRequest.ts'
import { chatPrompt } from '../../core/conversation/prompt.ts'
import { slashCommandOf } from '../../core/conversation/slashCommands.ts'
import type { ModelRequest } from '../../core/model/modelClient.ts'
import { requestText } from '../../core/model/requestText.ts'
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments.ts'
import { sanitized } from '../ui/sanitize.ts'
import type { DraftContexts } from './draftContexts.ts'
import type { DraftMemory } from './draftMemory.ts'

export interface RequestPreviewOptions {
  readonly contexts: DraftContexts
  readonly drafts: DraftMemory
  readonly model: () => string | undefined
  /** The body as it would be sent, without keys. */
  readonly bodyOf: (request: ModelRequest) => Promise<object>
  readonly documents: Pick<ReadOnlyDocuments, 'show'>
}

export class RequestPreview {
  readonly #options: RequestPreviewOptions

  constructor(options: RequestPreviewOptions) {
    this.#options = options
  }

  /** Files are read again, as they are when the message is sent. */
  async show(session: Session, signal: AbortSignal): Promise<void> {
    const { contexts, drafts, model, bodyOf, documents } = this.#options
    const taken = await contexts.take(session.conversation, signal)
    if (taken.is === 'declined') return
    if (taken.is === 'blocked') {
      const [first = { label: '', problem: '' }] = taken.by
      const values = sanitized({ name: first.label, problem: first.problem })
      void window.showWarningMessage(l10n.t('Nothing can be sent while {name} is attached: {problem}', values))
      return
    }
    const text = questionIn(drafts.saved(session.id)?.text ?? '')
    const isEmpty = text === '' && contexts.of(session.id).chips.length === 0
    const state = await session.withQuestion(text, isEmpty ? [] : taken.parts, signal)
    const tools = await session.tools()
    const content = turnRequest(model() ?? '', chatPrompt(state, tools), declarations(tools))
    const request: ModelRequest = { ...content, lane: 'chat' }
    const body = requestText(await bodyOf(request), request)
    await documents.show(l10n.t('Request.json'), body, { isWrapped: true })
  }
}

/** A command that acts is not sent. */
const questionIn = (text: string) => (slashCommandOf(text)?.command.acts ? '' : text)
