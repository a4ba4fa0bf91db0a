// `firstMessages`: the messages in the HTML of a new page, so that it can be written in before the panel’s code is loaded.
import type { Session } from '../../core/agent/session.ts'
import { newestTurns, windowOf } from '../../protocol/conversationWindow.ts'
import type { ChatFont, ModeId, Notice, PanelAccount, ToPage } from '../../protocol/panel.ts'
import type { DraftMemory } from './draftMemory.ts'

export interface ChatFacts {
  readonly account: () => PanelAccount
  readonly model: () => string | undefined
  readonly sendOnEnter: () => boolean
  /** That of the messages; undefined for the page's own. */
  readonly font: () => ChatFont | undefined
  /** What is not available in this window, and why. */
  readonly limits: () => Notice | undefined
  /** No folder is open in this window. */
  readonly lacksFolder: () => boolean
  /** The buttons on code blocks that only some windows have. */
  readonly code: { readonly mayRun: boolean }
}

/** Everything that the page shows except for the conversation, and what belongs to that. */
export function factMessages({ account, model, sendOnEnter, font, limits, lacksFolder, code }: ChatFacts): ToPage[] {
  const [id, ownFont, notice] = [model(), font(), limits()]
  return [
    { kind: 'settings', sendOnEnter: sendOnEnter(), ...(ownFont && { font: ownFont }) },
    {
      kind: 'limits',
      ...(notice && { notice }),
      mayRun: code.mayRun,
      ...(lacksFolder() && { lacksFolder: true }),
    },
    { kind: 'model', ...(id && { id }) },
    { kind: 'account', account: account() },
  ]
}

/** `carriesDraft`: the text goes along from the conversation before. */
export function draftMessage(drafts: DraftMemory, conversation: string, carriesDraft = false): ToPage {
  const { text = '', at = 0, edits } = drafts.saved(conversation) ?? {}
  return { kind: 'kept-draft', conversation, text, at, ...(edits && { edits }), carriesDraft }
}

export function windowMessage({ id, conversation }: Pick<Session, 'id' | 'conversation'>): ToPage {
  return { kind: 'replay', conversation: id, window: windowOf(conversation, newestTurns(conversation)) }
}

/** Only which modes there are: what the model asks or has planned comes with everything else. */
function modesMessage({ id, mode }: Session, modes: readonly ModeId[]): ToPage {
  const agent = { modes: [...modes], mode: modes.find(one => one === mode.id) ?? 'ask' }
  return { kind: 'agent', conversation: id, agent: { ...agent, questions: [], plan: [], commands: [] } }
}

/** `modes`: those that can be selected in this window. */
export function firstMessages(
  facts: ChatFacts,
  session: Session,
  drafts: DraftMemory,
  modes: readonly ModeId[],
): readonly ToPage[] {
  const own = [draftMessage(drafts, session.id), windowMessage(session), modesMessage(session, modes)]
  return [...factMessages(facts), ...own]
}
