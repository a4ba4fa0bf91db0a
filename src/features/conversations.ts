// Makes the owners of conversations: the one in front, and the history of all.
import { type ExtensionContext, Uri, workspace } from 'vscode'
import { raceAbort } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'
import type { DisposableStore } from '../base/disposable.ts'
import { faultText } from '../base/fault.ts'
import type { Account } from '../core/account/account.ts'
import { Sessions } from '../core/agent/sessions.ts'
import type { Log } from '../core/log/log.ts'
import type { ModelClient } from '../core/model/modelClient.ts'
import { CurrentConversation } from '../editor/chat/currentConversation.ts'
import type { ModelChoice } from '../editor/models/modelChoice.ts'
import { JournalFolder } from '../node/history/journalFolder.ts'
import { JournalHistory } from '../node/history/journalHistory.ts'
import { takeOverChats } from '../node/history/takeOverChats.ts'
import { isAlive } from '../node/systemProcesses.ts'

export interface Conversations {
  readonly sessions: Sessions
  readonly history: JournalHistory
}

export interface ConversationNeeds {
  readonly account: Account
  readonly models: ModelClient
  readonly choice: ModelChoice
  readonly clock: Clock
  readonly log: Log
  readonly life: DisposableStore
}

/** What was in front in this workspace comes back by itself, read in the background. */
export function createConversations(context: ExtensionContext, needs: ConversationNeeds): Conversations {
  const { account, models, choice, clock, log, life } = needs
  const storage = context.storageUri ?? context.globalStorageUri
  const folder = Uri.joinPath(storage, 'conversations').fsPath
  const journals = new JournalFolder({ folder, clock, log, isAlive })
  // A question of the window's first moment is not asked for a key that is only being read.
  const model = async (signal: AbortSignal, refused?: string) => {
    await raceAbort(account.whenKnown, signal)
    return choice.needed(signal, refused)
  }
  const newId = () => crypto.randomUUID()
  const journal = (conversation: string) => journals.open(conversation)
  const root = workspace.workspaceFolders?.[0]?.uri.toString()
  const sessions = life.add(new Sessions({ models, model, newId, clock, journal, workspace: root }))
  const history = life.add(new JournalHistory({ journals, log }))
  const current = new CurrentConversation(context.workspaceState)
  const chats = Uri.joinPath(storage, 'chats').fsPath
  const keep = () => current.keep(sessions.current.id)
  life.add(sessions.onDidOpen(keep))
  life.add(sessions.onDidMove(keep))
  void restore()
  return { sessions, history }

  async function restore(): Promise<void> {
    try {
      const [takenOver] = await takeOverChats({ chats, journals, workspace: root, log })
      const conversation = takenOver ?? current.kept ?? (await journals.newest())
      if (conversation) await sessions.goOnWith(conversation, new AbortController().signal)
    } catch (fault) {
      log.warn('The conversation before could not be opened', { fault: faultText(fault) })
    }
  }
}
