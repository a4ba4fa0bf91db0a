// `startChat`: the chat in the side bar and in editor tabs, and its commands.
import { commands, type ExtensionContext, l10n, languages, Uri, type WebviewView, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { Emitter } from '../base/event.ts'
import { lazy } from '../base/lazy.ts'
import type { CompactionNeeds } from '../core/agent/compaction.ts'
import type { Session } from '../core/agent/session.ts'
import type { CommandRuns } from '../core/tools/commandRuns.ts'
import type { AddToChat } from '../editor/chat/addToChat.ts'
import { chatCodeActionKinds, chatCodeActions } from '../editor/chat/chatCodeActions.ts'
import type { ChatEditors } from '../editor/chat/chatEditors.ts'
import { chatFont, onDidChangeChatFont } from '../editor/chat/chatFont.ts'
import type { ChatPanels } from '../editor/chat/chatPanels.ts'
import { titleOf } from '../editor/chat/conversationTitle.ts'
import type { DraftContexts } from '../editor/chat/draftContexts.ts'
import type { DraftMemory } from '../editor/chat/draftMemory.ts'
import { isTabOf, OrphanedTabs } from '../editor/chat/orphanedTabs.ts'
import type { ColourSource } from '../editor/chat/pageColours.ts'
import type { PanelCommands } from '../editor/chat/panelAgent.ts'
import type { PanelContextOptions } from '../editor/chat/panelContext.ts'
import { restrictedNotice } from '../editor/chat/restrictedNotice.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { ReadOnlyDocuments } from '../editor/ui/readOnlyDocuments.ts'
import type { PromptPart } from '../protocol/conversation.ts'
import type { ModeId } from '../protocol/panel.ts'
import { hasTools } from './agent.ts'
import type { Services } from './services.ts'

const TERMINAL_TITLE_CHARS = 40

const VIEW = 'kourier.chat'
const EDITOR = 'kourier.chatEditor'

/** The panels are loaded when one is first shown. */
export function startChat(services: Services, context: ExtensionContext): Disposable {
  const { account, signIn, settings, catalog, selection, chatPresence, report } = services
  const disposables = new DisposableStore()
  let made: ChatPanels | undefined
  const colours = lazy(() => createCodeColours(services, context, disposables))
  const documents = disposables.add(new ReadOnlyDocuments('kourier-view'))
  const messages = disposables.add(new ReadOnlyDocuments('kourier-message'))
  const unsent = lazy(() => createUnsent(services, context, documents))
  const panels = lazy(async () => {
    made = disposables.add(await createChatPanels(services, context, colours, await unsent(), messages))
    return made
  })
  const provider = { resolveWebviewView: async (view: WebviewView) => (await panels()).view.resolve(view) }
  disposables.add(
    window.registerWebviewViewProvider(VIEW, provider, { webviewOptions: { retainContextWhenHidden: true } }),
  )
  disposables.add(
    window.registerWebviewPanelSerializer(EDITOR, {
      deserializeWebviewPanel: async (tab, state) => (await panels()).editors.restore(tab, state),
    }),
  )
  const isTabOpen = window.tabGroups.all.some(({ tabs }) => tabs.some(tab => isTabOf(EDITOR, tab)))
  if (isTabOpen) void panels().then(({ editors }) => disposables.add(replaceOrphans(editors, services)), report)
  const send = () => made?.sendFacts()
  for (const onDidChange of [account.onDidChange, signIn.onDidChange, catalog.onDidChange, settings.onDidChange])
    disposables.add(onDidChange(send))
  disposables.add(onDidChangeChatFont(send))
  disposables.add(workspace.onDidGrantWorkspaceTrust(send))
  disposables.add(
    services.sessions.onDidChangeQuestions(() => made?.view.showQuestions(services.sessions.questionCount)),
  )
  disposables.add(remindOfQuestions(services))
  // The page may be ready before the keyring has answered who is signed in.
  disposables.add(account.onDidChange(() => chatPresence.isVisible && selection.prefetch()))
  disposables.add(
    registerCommands(
      {
        'kourier.openChat': async () => {
          // The editor makes the view while its code is loaded.
          if (!made) void commands.executeCommand(`${VIEW}.focus`)
          await (await panels()).show()
        },
        'kourier.showQuestion': async () => {
          const { asking, current } = services.sessions
          if (asking && asking !== current) await services.sideBar.open(asking.id, new AbortController().signal)
          await (await panels()).showFront()
        },
        'kourier.openChatInEditor': async () => (await panels()).showInEditor(),
        'kourier.moveToSideBar': async () => (await panels()).moveToSideBar(),
        'kourier.restore': async () => {
          const { front } = await panels()
          const compose = (text: string) => front?.restoreToComposer(text)
          await restore(services, documents, services.sessions.current, undefined, compose)
        },
        'kourier.showUsage': async () => {
          const { usageText } = await import('../editor/complete/usageText.ts')
          const days = await (await services.usage()).read()
          const page = documents.keep('Usage.md', usageText(days, services.clock.now()))
          await commands.executeCommand('markdown.showPreview', page)
        },
        'kourier.findInChat': async () => (await panels()).find(),
        'kourier.newChat': async () => (await panels()).showNew(),
        'kourier.showHistory': async () => (await panels()).showHistory(),
        'kourier.exportChat': async () => (await panels()).exportChat(),
        'kourier.importChat': async () => (await panels()).importChat(),
        'kourier.previewRequest': async () => previewRequest(services, documents, await unsent()),
      },
      report,
    ),
  )
  disposables.add(registerReadingCommands(panels, context, report))
  const adding = lazy(async () => createAddToChat(services, await panels()))
  disposables.add(registerAddCommands(adding, report))
  disposables.add(
    languages.registerCodeActionsProvider('*', chatCodeActions, { providedCodeActionKinds: chatCodeActionKinds }),
  )
  return disposables
}

/** A question that waits in a window that the user does not look at. */
const REMIND_AFTER_MS = 30_000

/** Shows one notification for what waits. */
function remindOfQuestions({ sessions, clock }: Services): Disposable {
  let cancelTimer: (() => void) | undefined
  const remind = async () => {
    if (sessions.questionCount === 0 || window.state.focused) return
    const answer = l10n.t('Answer')
    const chosen = await window.showInformationMessage(l10n.t('The model asks for your permission.'), answer)
    if (chosen === answer) await commands.executeCommand('kourier.showQuestion')
  }
  const listening = sessions.onDidChangeQuestions(() => {
    if (sessions.questionCount > 0) cancelTimer ??= clock.later(REMIND_AFTER_MS, () => void remind())
    else {
      cancelTimer?.()
      cancelTimer = undefined
    }
  })
  return {
    dispose() {
      cancelTimer?.()
      listening.dispose()
    },
  }
}

/** Where the window was loaded as well, the editor restores the tabs. */
function replaceOrphans(editors: ChatEditors, { clock }: Services): Disposable {
  if (!editors.isRestarted) return new DisposableStore()
  return new OrphanedTabs({
    viewType: EDITOR,
    hasFilled: column => editors.hasFilled(column),
    replace: tab => editors.replace(tab),
    clock,
  })
}

function registerReadingCommands(
  panels: () => Promise<ChatPanels>,
  { extension }: ExtensionContext,
  report: (fault: unknown) => void,
): Disposable {
  return registerCommands(
    {
      'kourier.showAccessibleView': async () => (await panels()).read(),
      'kourier.showAccessibilityHelp': async () => (await panels()).showHelp(extension.packageJSON),
      'kourier.accessibleView.next': async () => (await panels()).accessibleView.move(1),
      'kourier.accessibleView.previous': async () => (await panels()).accessibleView.move(-1),
      'kourier.accessibleView.close': async () => (await panels()).accessibleView.close(),
    },
    report,
  )
}

function registerAddCommands(adding: () => Promise<AddToChat>, report: (fault: unknown) => void): Disposable {
  return registerCommands(
    {
      'kourier.addSelection': async () => (await adding()).selection(),
      'kourier.addFile': async (uri, uris) => (await adding()).files(uri, uris),
      'kourier.addProblem': async (uri, range) => (await adding()).problem(uri, range),
      'kourier.addTerminal': async () => (await adding()).terminal(),
      'kourier.addChange': async (...resources) => (await adding()).changes(...resources),
      'kourier.explain': async () => (await adding()).ask('explain'),
      'kourier.fix': async () => (await adding()).ask('fix'),
      'kourier.generateTests': async () => (await adding()).ask('tests'),
      'kourier.generateDocs': async () => (await adding()).ask('doc'),
    },
    report,
  )
}

async function createAddToChat({ context }: Services, panels: ChatPanels): Promise<AddToChat> {
  const [{ AddToChat }, { terminal }] = await Promise.all([import('../editor/chat/addToChat.ts'), context()])
  return new AddToChat({
    show: () => panels.showFront(),
    attach: reference => panels.attach(reference),
    compose: (command, about) => panels.compose(command, about),
    terminalSelection: () => terminal.selection(),
  })
}

/** What belongs to messages that were not sent yet. */
interface Unsent {
  readonly drafts: DraftMemory
  readonly contexts: DraftContexts
  readonly context: PanelContextOptions
}

async function createUnsent(
  services: Services,
  context: ExtensionContext,
  documents: ReadOnlyDocuments,
): Promise<Unsent> {
  const { clock, keys, report, selection } = services
  const [{ DraftMemory }, { DraftContents }, { DraftContexts }, consent, sizes, available] = await Promise.all([
    import('../editor/chat/draftMemory.ts'),
    import('../editor/chat/draftContents.ts'),
    import('../editor/chat/draftContexts.ts'),
    import('../editor/chat/contextConsent.ts'),
    import('../editor/chat/meterText.ts'),
    services.context(),
  ])
  const drafts = new DraftMemory(context.workspaceState, keys)
  const contents = new DraftContents(Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'drafts'))
  void contents.removeOthers(drafts.contents)
  const { sources, promptFiles, instructions, repository } = available
  const tokensOf = (parts: readonly PromptPart[]) => promptTokens(services, parts)
  const newId = () => crypto.randomUUID()
  const lacksKeyText = l10n.t('An API key in it is left out.')
  const limit = () => selection.limitsOf(selection.current ?? '').input
  const contexts = services.life.add(
    new DraftContexts({
      drafts,
      report,
      context: {
        sources,
        confirm: consent.confirmContext,
        problemText: consent.unavailableText,
        omissionText: consent.omissionText,
        keys,
        lacksKeyText,
        sizeText: ({ source }, tokens) =>
          source === 'repository' ? sizes.repositorySizeText(tokens, limit()) : undefined,
        tokensOf,
        store: part => contents.store(part),
        load: name => contents.load(name),
        newId,
      },
      automatic: {
        sources,
        instructionsFor: (attached, signal) => instructions.for(attached, signal),
        changesSince: (earlier, signal) => repository.changesSince(earlier, signal),
        changesName: l10n.t('Repository changes'),
        lacksKeyText,
        tokensOf,
        newId,
        clock,
      },
    }),
  )
  const showRepository = async () => {
    const { repositoryList } = await import('../editor/chat/repositoryList.ts')
    const files = await repository.estimate(new AbortController().signal)
    await documents.show(l10n.t('Whole repository.txt'), repositoryList(files))
  }
  return { drafts, contexts, context: { contexts, sources, promptFiles, showRepository, clock, report } }
}

async function previewRequest(
  { sessions, selection, bodyOf }: Services,
  documents: ReadOnlyDocuments,
  { contexts, drafts }: Unsent,
): Promise<void> {
  const { RequestPreview } = await import('../editor/chat/requestPreview.ts')
  const preview = new RequestPreview({ contexts, drafts, bodyOf, documents, model: () => selection.current })
  await preview.show(sessions.current, new AbortController().signal)
}

/** Summaries are background work: their model is the one of the settings, else that of the chat. */
async function compactionNeeds({ models, counter, selection, settings }: Services): Promise<CompactionNeeds> {
  return {
    models,
    counter: await counter(),
    limitsOf: selection.limitsOf,
    model: async signal => settings.get('backgroundModel') || selection.forChat(signal),
    newId: () => crypto.randomUUID(),
  }
}

async function createChatPanels(
  services: Services,
  context: ExtensionContext,
  colours: () => Promise<ColourSource>,
  unsent: Unsent,
  documents: ReadOnlyDocuments,
): Promise<ChatPanels> {
  const { account, signIn, settings, selection, clock, keys, log, report } = services
  const [{ panelAccount }, { ChatPanels }] = await Promise.all([
    import('../editor/account/panelAccount.ts'),
    import('../editor/chat/chatPanels.ts'),
  ])
  const { drafts } = unsent
  const { links } = await services.context()
  const made: ChatPanels = new ChatPanels({
    viewId: VIEW,
    editorType: EDITOR,
    sessions: services.sessions,
    sideBar: services.sideBar,
    state: context.workspaceState,
    onDidChangeVisibility: isVisible => {
      services.chatPresence.isVisible = isVisible
    },
    onFault: report,
    documents,
    history: {
      sessions: services.sessions,
      list: services.history,
      workspace: services.root,
      keys,
      report,
    },
    panel: {
      extensionUri: context.extensionUri,
      log,
      account: () => panelAccount({ account, signIn, clock, redact: text => log.redactor.redact(text) }),
      model: () => selection.current,
      onReady: selection.prefetch,
      names: services.names,
      sendOnEnter: () => settings.get('chat.sendOnEnter'),
      font: chatFont,
      limits: restrictedNotice,
      fork: (session, turn) => services.sessions.fork(session, turn),
      report,
      clock,
      keys,
      drafts,
      context: unsent.context,
      meter: {
        model: () => selection.current,
        compaction: () => compactionNeeds(services),
        names: services.names,
        drafts,
        clock,
        report,
      },
      agent: {
        modes: () => modesHere(services),
        defaultMode: () => settings.get('agent.mode'),
        showProposed: async (session, part) => {
          const { showProposed } = await import('../editor/edit/showProposed.ts')
          await showProposed(session.questions.callOf(part), documents)
        },
        commands: panelCommands(services),
        restore: (session, turn) =>
          restore(services, documents, session, turn, text => made.front?.restoreToComposer(text)),
        report,
      },
      colours,
      code: services.code,
      links,
      signIn,
    },
  })
  return made
}

async function restore(
  { changeServices }: Services,
  documents: ReadOnlyDocuments,
  session: Session,
  turn: string | undefined,
  compose: (text: string) => void,
): Promise<void> {
  const [{ restoreCheckpoint }, { checkpoints }] = await Promise.all([
    import('../editor/edit/restoreCheckpoint.ts'),
    changeServices(),
  ])
  await restoreCheckpoint({ checkpoints, session, documents, compose }, turn)
}

/** The sandbox is known from the first question of a window on. */
function modesHere({ agent }: Services): readonly ModeId[] {
  if (!hasTools()) return []
  return agent.hasSandbox ? ['ask', 'plan', 'edit', 'sandbox'] : ['ask', 'plan', 'edit']
}

/** Nothing until the agent has run its first command. */
function panelCommands({ agent, life }: Services): PanelCommands {
  const changed = life.add(new Emitter<void>())
  const followed = new Set<CommandRuns>()
  life.add(
    agent.onDidLoad(() => {
      const runs = agent.commands?.runs
      if (runs && !followed.has(runs)) life.add(runs.onChange(() => changed.fire()))
      if (runs) followed.add(runs)
      changed.fire()
    }),
  )
  return {
    onDidChange: changed.event,
    of: conversation => agent.commands?.runs.inBackground(conversation) ?? [],
    stop: (conversation, command) => void agent.commands?.runs.find(conversation, command)?.stop(),
    showTerminal: ({ id, conversation }) =>
      agent.commands?.mirrors.show(id, titleOf(conversation, TERMINAL_TITLE_CHARS) || l10n.t('Chat')),
  }
}

/** An estimate, in the tokens of the model that is selected. */
async function promptTokens({ counter, selection }: Services, parts: readonly PromptPart[]): Promise<number> {
  const [{ userMessage }, { messageTokens }] = await Promise.all([
    import('../core/conversation/promptMessages.ts'),
    import('../core/model/tokenEstimate.ts'),
  ])
  const tokens = messageTokens(userMessage(parts))
  return (await counter()).correct(selection.current ?? '', tokens).tokens
}

async function createCodeColours(
  { clock, log }: Services,
  { extensionUri }: ExtensionContext,
  disposables: DisposableStore,
): Promise<ColourSource> {
  const [{ CodeColours }, { WorkerTokenizer }] = await Promise.all([
    import('../editor/colour/codeColours.ts'),
    import('../node/colour/workerTokenizer.ts'),
  ])
  const inDist = (name: string) => Uri.joinPath(extensionUri, 'dist', name).fsPath
  const tokenizer = new WorkerTokenizer({ script: inDist('tokenizeWorker.cjs'), wasm: inDist('onig.wasm'), clock })
  return disposables.add(new CodeColours(disposables.add(tokenizer), log))
}
