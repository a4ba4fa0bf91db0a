// `createChanges`: gives access to the owner of changes, which is loaded at its first use.
import { type ExtensionContext, workspace } from 'vscode'
import { lazy } from '../base/lazy.ts'
import type { CodeActionHandler } from '../editor/chat/chatPanel.ts'
import { LastEditor } from '../editor/edit/lastEditor.ts'
import type { PromptPart } from '../protocol/conversation.ts'
import { answerText } from '../protocol/conversationPath.ts'
import { type ConversationState, type Turn, turnOf } from '../protocol/conversationState.ts'
import type { ChangeNeeds, ChangeServices } from './loadChanges.ts'

export interface ChangeOwners {
  readonly changeServices: () => Promise<ChangeServices>
  readonly code: CodeActionHandler
  /** The window before has left changes that are neither kept nor undone. */
  readonly hadOpenChanges: boolean
}

const OPEN_CHANGES = 'kourier.openChanges'

export function createChanges(context: ExtensionContext, needs: Omit<ChangeNeeds, 'lastEditor'>): ChangeOwners {
  const { workspaceState } = context
  const hadOpenChanges = workspaceState.get(OPEN_CHANGES) === true
  const keepOpen = (hasOpen: boolean) => {
    if (workspaceState.get(OPEN_CHANGES, false) !== hasOpen) void workspaceState.update(OPEN_CHANGES, hasOpen)
  }
  // From the start on: later the chat may be all that is visible.
  const lastEditor = needs.life.add(new LastEditor())
  const changeServices = lazy(async () => {
    const { loadChanges } = await import('./loadChanges.ts')
    return loadChanges(context, { ...needs, lastEditor }, keepOpen)
  })
  const run = (work: (services: ChangeServices) => Promise<void>) =>
    void changeServices().then(work).catch(needs.report)
  const code: CodeActionHandler = {
    get mayRun() {
      return workspace.isTrusted
    },
    run(message, session) {
      const turn = turnOf(session.conversation, message.turn)
      const source = { answer: turn ? answerText(turn) : '', questions: questionsTo(session.conversation, turn) }
      run(({ actions }) => actions.run({ ...message, conversation: session.id }, source))
    },
    review(message) {
      run(({ actions }) => actions.changeFile(message))
    },
  }
  return { changeServices, code, hadOpenChanges }
}

/** That of the turn, and those before it, the newest first. */
function questionsTo(state: ConversationState, turn: Turn | undefined): readonly (readonly PromptPart[])[] {
  const questions: (readonly PromptPart[])[] = []
  for (let at = turn; at; at = turnOf(state, at.parent)) if (!at.isDeleted) questions.push(at.prompt)
  return questions
}
