// `createConversations`: makes the owners of conversations: the current session, and the history of all.
import { type ExtensionContext, Uri, workspace } from 'vscode'
import { raceAbort } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'
import { contentHash } from '../base/contentHash.ts'
import { type DisposableStore, onEnd } from '../base/disposable.ts'
import { faultText } from '../base/fault.ts'
import { lazy } from '../base/lazy.ts'
import type { Account } from '../core/account/account.ts'
import type { AgentOptions } from '../core/agent/session.ts'
import { Sessions } from '../core/agent/sessions.ts'
import type { ShownSession } from '../core/agent/shownSession.ts'
import { JournalAccessError, LaterJournalError } from '../core/conversation/journal.ts'
import { LazyJournal } from '../core/conversation/lazyJournal.ts'
import type { KeyText } from '../core/log/keyText.ts'
import type { Log } from '../core/log/log.ts'
import type { ModelClient } from '../core/model/modelClient.ts'
import type { DraftMemory } from '../editor/chat/draftMemory.ts'
import type { ModelSelection } from '../editor/models/modelSelection.ts'
import type { EditorSettings } from '../editor/ui/editorSettings.ts'
import { showFault } from '../editor/ui/notices.ts'
import type { JournalFolder, JournalFolderOptions } from '../node/history/journalFolder.ts'
import type { JournalHistory } from '../node/history/journalHistory.ts'
import type { ShownConversation } from '../node/history/shownConversation.ts'
import { isAlive, systemProcesses as processes } from '../node/systemProcesses.ts'

export interface Conversations {
  readonly sessions: Sessions
  /** What the side bar shows. */
  readonly sideBar: ShownSession
  readonly history: () => Promise<JournalHistory>
  /** The conversations of all workspaces that are stored; none where that cannot be read. */
  readonly stored: () => Promise<readonly string[]>
  /** The workspace that new conversations belong to, as a URI. */
  readonly root: string | undefined
  /** What is unsent in each conversation. */
  readonly drafts: () => Promise<DraftMemory>
  /** The folder for it, which all windows on the workspace have. */
  readonly unsent: () => Promise<Uri>
  /** The conversation before is shown, or there is none. */
  readonly isRestored: () => boolean
  readonly whenRestored: Promise<void>
}

export interface ConversationNeeds {
  readonly account: Account
  readonly models: ModelClient
  readonly agent: AgentOptions
  readonly keys: KeyText
  readonly selection: ModelSelection
  readonly settings: EditorSettings
  readonly clock: Clock
  readonly log: Log
  readonly life: DisposableStore
}

/** How long after a turn or a restore the index is brought up to date: nobody waits for it, and more turns may follow. */
const INDEX_AFTER_MS = 5_000
/** In the editor's state of the window. */
const WINDOW_KEY = 'kourier.window'

async function openJournalFolder(options: JournalFolderOptions): Promise<JournalFolder> {
  const { JournalFolder } = await import('../node/history/journalFolder.ts')
  return new JournalFolder(options)
}

/** Restores the conversation that the workspace showed last, in the background. */
export function createConversations(context: ExtensionContext, needs: ConversationNeeds): Conversations {
  const { account, models, selection, clock, log, life } = needs
  const storage = context.storageUri ?? context.globalStorageUri
  const folder = Uri.joinPath(context.globalStorageUri, 'conversations').fsPath
  const journals = lazy(() => openJournalFolder({ folder, clock, log, isAlive }))
  // Waits for the account, because a prompt may be sent before the key has been read from the secret storage.
  const model = async (signal: AbortSignal, refused?: string) => {
    await raceAbort(account.whenKnown, signal)
    return selection.forChat(signal, refused)
  }
  const newId = () => crypto.randomUUID()
  const journal = (conversation: string) =>
    new LazyJournal(conversation, async () => (await journals()).open(conversation))
  const root = workspace.workspaceFolders?.[0]?.uri.toString()
  const sessions = life.add(new Sessions({ models, model, agent: needs.agent, newId, clock, journal, workspace: root }))
  const history = lazy(async () => {
    const { JournalHistory } = await import('../node/history/journalHistory.ts')
    return life.add(new JournalHistory({ journals: await journals(), log }))
  })
  const unsent = lazy(() => folderOfWorkspace(context.globalStorageUri, 'unsent'))
  const drafts = lazy(async () => openDrafts(context, await unsent(), needs))
  const shown = lazy(() => openShown(context, needs))
  const chats = Uri.joinPath(storage, 'chats').fsPath
  const sideBar = sessions.front
  const keep = async () => (await shown()).save(sideBar.current.id)
  life.add(sideBar.onDidOpen(() => void keep()))
  const indexSoon = keepIndexed({ sessions, history }, needs)
  writeTitles(sessions, needs)
  let isRestored = false
  const whenRestored = restore().then(() => {
    isRestored = true
    indexSoon()
  })
  const stored = async () => (await journals()).conversations()
  return { sessions, sideBar, history, stored, root, drafts, unsent, isRestored: () => isRestored, whenRestored }

  async function restore(): Promise<void> {
    try {
      const { takeOverChats } = await import('../node/history/takeOverChats.ts')
      const [takenOver] = await takeOverChats({ chats, journals: await journals(), workspace: root, log })
      const conversation = takenOver ?? (await (await shown()).take()) ?? (await newest())
      const hasDraft = conversation !== undefined && (await hasUnsentText(conversation))
      if (conversation) await sideBar.resume(conversation, new AbortController().signal, { hasDraft })
    } catch (fault) {
      log.warn('The conversation before could not be opened', { fault: faultText(fault) })
      if (fault instanceof LaterJournalError || fault instanceof JournalAccessError)
        void showFault(fault, { service: '' })
    }
    await keep()
  }

  async function hasUnsentText(conversation: string): Promise<boolean> {
    return (await drafts()).hasContent(conversation)
  }

  /** The newest of this workspace, where the editor has lost its own state. */
  async function newest(): Promise<string | undefined> {
    if (!(await (await journals()).exists())) return undefined
    const list = await (await history()).list({ isArchived: false }, new AbortController().signal)
    const own = list.filter(({ workspace }) => workspace === root)
    return own.sort((a, b) => b.updatedAt - a.updatedAt)[0]?.conversation
  }
}

/** The editor gives a second window on a folder another storage, so it is within the extension's own. */
async function folderOfWorkspace(storage: Uri, name: string): Promise<Uri> {
  const root = workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri
  return Uri.joinPath(storage, name, root ? await contentHash(root.toString()) : 'none')
}

async function openShown(context: ExtensionContext, { clock, log }: ConversationNeeds): Promise<ShownConversation> {
  const [{ ShownConversation }, folder] = await Promise.all([
    import('../node/history/shownConversation.ts'),
    folderOfWorkspace(context.globalStorageUri, 'shown'),
  ])
  const report = (fault: unknown) =>
    log.warn('Which conversation is shown could not be written', { fault: faultText(fault) })
  const { workspaceState } = context
  const known = workspaceState.get<string>(WINDOW_KEY)
  const keep = (name: string) => void workspaceState.update(WINDOW_KEY, name)
  return new ShownConversation({ folder: folder.fsPath, clock, processes, report, known, keep })
}

async function openDrafts(
  { workspaceState }: ExtensionContext,
  folder: Uri,
  { keys, clock, log }: ConversationNeeds,
): Promise<DraftMemory> {
  const [{ DraftMemory }, { DraftFiles }] = await Promise.all([
    import('../editor/chat/draftMemory.ts'),
    import('../editor/chat/draftFiles.ts'),
  ])
  const report = (fault: unknown) => log.warn('What is unsent could not be written', { fault: faultText(fault) })
  return new DraftMemory(workspaceState, keys, await DraftFiles.open({ folder, clock, processes, report }))
}

/** Loads the writer of titles at the end of the first answer. */
function writeTitles(sessions: Sessions, { models, settings, clock, log, life }: ConversationNeeds): void {
  const backgroundModel = () => settings.get('backgroundModel')
  const load = lazy(async () => {
    const { TitleWriter } = await import('../core/agent/titleWriter.ts')
    return life.add(new TitleWriter({ sessions, models, backgroundModel, clock, log }))
  })
  life.add(
    sessions.onDidChangeState(session => {
      if (session.state.is === 'idle' && session.length > 0 && !session.conversation.title)
        void load().then(writer => writer.consider(session))
    }),
  )
}

/** Brings the index up to date some time after each turn. The function that it returns asks for the same. */
function keepIndexed(
  { sessions, history }: Pick<Conversations, 'sessions' | 'history'>,
  { clock, log, life }: ConversationNeeds,
): () => void {
  let cancelTimer: (() => void) | undefined
  const refresh = async () => {
    cancelTimer = undefined
    // The end of the turn asks again.
    if (sessions.all.some(({ isBusy }) => isBusy)) return
    try {
      const index = await history()
      index.refresh()
    } catch (fault) {
      log.warn('The index of conversations could not be loaded', { fault: faultText(fault) })
    }
  }
  const soon = () => {
    if (!sessions.all.some(({ isBusy }) => isBusy)) cancelTimer ??= clock.later(INDEX_AFTER_MS, () => void refresh())
  }
  life.add(sessions.onDidOpen(soon))
  life.add(sessions.onDidChangeState(soon))
  life.add(sessions.onDidChangeFacts(soon))
  life.add(onEnd(() => cancelTimer?.()))
  return soon
}
