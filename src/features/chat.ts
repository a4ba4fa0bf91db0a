// `startChat`: the chat in the side bar and in editor tabs, and its commands.
import { commands, type ExtensionContext, l10n, languages, Uri, type WebviewView, window, workspace } from 'vscode'
import { systemClock } from '../base/clock.ts'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { Emitter } from '../base/event.ts'
import { lazy } from '../base/lazy.ts'
import type { CompactionNeeds } from '../core/agent/compaction.ts'
import { FinishedAnswers } from '../core/agent/finishedAnswers.ts'
import type { Session } from '../core/agent/session.ts'
import type { CommandRuns } from '../core/tools/commandRuns.ts'
import type { AddToChat } from '../editor/chat/addToChat.ts'
import { chatCodeActionKinds, chatCodeActions } from '../editor/chat/chatCodeActions.ts'
import type { ChatEditors } from '../editor/chat/chatEditors.ts'
import { chatFont, onDidChangeChatFont } from '../editor/chat/chatFont.ts'
import type { ChatPage, ChatPageOptions } from '../editor/chat/chatPage.ts'
import type { ChatPanelOptions } from '../editor/chat/chatPanel.ts'
import type { ChatPanels } from '../editor/chat/chatPanels.ts'
import { titleOf } from '../editor/chat/conversationTitle.ts'
import type { DraftContexts } from '../editor/chat/draftContexts.ts'
import type { DraftMemory } from '../editor/chat/draftMemory.ts'
import type { ChatFacts } from '../editor/chat/firstMessages.ts'
import { isTabOf, OrphanedTabs } from '../editor/chat/orphanedTabs.ts'
import type { ColourSource } from '../editor/chat/pageColours.ts'
import type { PanelCommands } from '../editor/chat/panelAgent.ts'
import type { PanelContextOptions } from '../editor/chat/panelContext.ts'
import { restrictedNotice } from '../editor/chat/restrictedNotice.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { ReadOnlyDocuments } from '../editor/ui/readOnlyDocuments.ts'
import type { PromptPart } from '../protocol/conversation.ts'
import type { ModeId, ToPage } from '../protocol/panel.ts'
import { hasFolder, hasTools } from './agent.ts'
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
  const pages = lazy(() => loadPages(context))
  const facts = lazy(() => createFacts(services))
  const chatNeeds = async () => {
    const [{ options, script }, shown, written] = await Promise.all([pages(), facts(), unsent()])
    return { page: options, script, facts: shown, colours, unsent: written, documents: messages }
  }
  const panels = lazy(async () => {
    made = disposables.add(await createChatPanels(services, context, await chatNeeds()))
    return made
  })
  const provider = {
    async resolveWebviewView(view: WebviewView) {
      const firstMessages = facts().then(shown => firstOfPage(services, shown))
      const [{ ChatPage, options }, first] = await Promise.all([pages(), firstMessages])
      const page = new ChatPage(view.webview, { ...options, first })
      await handedOver()
      const { view: chat } = await panels()
      chat.resolve(view, page)
    },
  }
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
  disposables.add(followFinished(services, () => made))
  // The page may be ready before the keyring has answered who is signed in.
  disposables.add(account.onDidChange(() => chatPresence.isVisible && selection.prefetch()))
  disposables.add(
    registerCommands(
      {
        'kourier.openChat': async () => {
          // The composer of a new page takes the focus by itself; the panel is loaded when the page is on its way.
          if (made) await made.show()
          else await commands.executeCommand(`${VIEW}.focus`)
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

/** A badge for each answer that has ended out of sight, and one notification for a user who is away. */
function followFinished(services: Services, panels: () => ChatPanels | undefined): Disposable {
  const { sessions, sideBar, chatPresence, clock, report } = services
  const disposables = new DisposableStore()
  const isVisible = (conversation: string) =>
    (chatPresence.isVisible && sideBar.current.id === conversation) ||
    panels()?.editors.visible.some(({ shown }) => shown.current.id === conversation) === true
  const notify = async (conversation: string) => {
    const show = l10n.t('Show')
    if ((await window.showInformationMessage(l10n.t('An answer is done.'), show)) !== show) return
    if (!isVisible(conversation) && conversation !== sessions.current.id)
      await sideBar.open(conversation, new AbortController().signal)
    await commands.executeCommand('kourier.openChat')
  }
  const finished = disposables.add(
    new FinishedAnswers({
      sessions,
      isSeen: conversation => window.state.focused && isVisible(conversation),
      isAway: () => !window.state.focused,
      notify: conversation => void notify(conversation).catch(report),
      clock,
    }),
  )
  disposables.add(finished.onDidChange(() => panels()?.view.showFinished(finished.count)))
  const look = () => finished.look()
  disposables.add(window.onDidChangeWindowState(look))
  disposables.add(window.tabGroups.onDidChangeTabs(look))
  disposables.add(chatPresence.changed.event(look))
  disposables.add(sessions.onDidOpen(look))
  disposables.add(sideBar.onDidOpen(look))
  return disposables
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
      'kourier.previousQuestion': async () => (await panels()).goToQuestion(-1),
      'kourier.nextQuestion': async () => (await panels()).goToQuestion(1),
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
      'kourier.addProblem': async (...place) => (await adding()).problem(...place),
      'kourier.addTerminal': async () => (await adding()).terminal(),
      'kourier.addChange': async (...resources) => (await adding()).changes(...resources),
      'kourier.explain': async (...place) => (await adding()).ask('explain', ...place),
      'kourier.fix': async (...place) => (await adding()).ask('fix', ...place),
      'kourier.generateTests': async (...place) => (await adding()).ask('tests', ...place),
      'kourier.generateDocs': async (...place) => (await adding()).ask('doc', ...place),
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

/** The editor compresses what it is given in other threads, and sends it in turns of this one. */
const HAND_OVER_MS = 50

/** Resolves when what was handed to the editor is on its way, because code that is then loaded keeps this thread busy. */
const handedOver = () => new Promise<void>(resolve => systemClock.later(HAND_OVER_MS, resolve))

interface Pages {
  readonly ChatPage: typeof ChatPage
  readonly options: ChatPageOptions
  readonly script: ChatPanelOptions['script']
}

async function loadPages({ extensionUri }: ExtensionContext): Promise<Pages> {
  const [{ ChatPage }, { readPageFiles, readPageScript }, { brotliText }] = await Promise.all([
    import('../editor/chat/chatPage.ts'),
    import('../editor/chat/pageFiles.ts'),
    import('../node/brotliText.ts'),
  ])
  const files = await readPageFiles(extensionUri, brotliText)
  return { ChatPage, options: { extensionUri, files }, script: name => readPageScript(extensionUri, name, brotliText) }
}

async function createFacts(services: Services) {
  const { account, signIn, selection, settings, clock, log, code } = services
  const { panelAccount } = await import('../editor/account/panelAccount.ts')
  return {
    account: () => panelAccount({ account, signIn, clock, redact: text => log.redactor.redact(text) }),
    model: () => selection.current,
    sendOnEnter: () => settings.get('chat.sendOnEnter'),
    font: chatFont,
    limits: restrictedNotice,
    lacksFolder: () => !hasFolder(),
    code,
  } satisfies ChatFacts
}

/** Nothing while another conversation may take the place of the one that is shown. */
async function firstOfPage(services: Services, facts: ChatFacts): Promise<readonly ToPage[]> {
  const { isRestored, sideBar, drafts } = services
  if (!isRestored()) return []
  const [{ firstMessages }, memory] = await Promise.all([import('../editor/chat/firstMessages.ts'), drafts()])
  return firstMessages(facts, sideBar.current, memory, workspace.isTrusted ? modesHere(services) : [])
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
  const [
    drafts,
    unsent,
    { DraftContents },
    { DraftContexts },
    { isAboutWorkspace },
    { onDidChangeSituation },
    { onDidChangeFiles },
    consent,
    sizes,
    available,
  ] = await Promise.all([
    services.drafts(),
    services.unsent(),
    import('../editor/chat/draftContents.ts'),
    import('../editor/chat/draftContexts.ts'),
    import('../core/agent/surroundings.ts'),
    import('../editor/tools/situationChanges.ts'),
    import('../editor/context/fileChanges.ts'),
    import('../editor/chat/contextConsent.ts'),
    import('../editor/chat/meterText.ts'),
    services.context(),
  ])
  const former = Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'drafts')
  const contents = new DraftContents(Uri.joinPath(unsent, 'attached'), former)
  void contents.removeOthers(drafts.contents, clock.now())
  const { sources, referenceOf, promptFiles, instructions, repository, images } = available
  const tokensOf = (parts: readonly PromptPart[]) => promptTokens(services, parts)
  const newId = () => crypto.randomUUID()
  const limit = () => selection.limitsOf(selection.current ?? '').input
  const contexts = services.life.add(
    new DraftContexts({
      drafts,
      report,
      withoutSurroundings: services.agent.withoutSurroundings,
      context: {
        sources,
        confirm: consent.confirmContext,
        problemText: consent.unavailableText,
        omissionText: consent.omissionText,
        lacksGitText: consent.lacksGitText(),
        keys,
        differencesText: consent.differencesText,
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
        leftOutText: consent.leftOutText,
        surroundingsOf: async (conversation, signal) => {
          const session = services.sessions.all.find(({ id }) => id === conversation)
          // Nothing goes along with a message that is queued.
          const parts = session?.isBusy ? [] : await session?.surroundings(signal)
          return (parts ?? []).filter(isAboutWorkspace)
        },
        surroundingsName: l10n.t('Workspace and open editors'),
        surroundingsText: consent.surroundingsText,
        omissionText: consent.omissionText,
        differencesText: consent.differencesText,
        tokensOf,
        newId,
        clock,
      },
    }),
  )
  const showRepository = async () => {
    const { repositoryList } = await import('../editor/chat/repositoryList.ts')
    const contents = await repository.contents(new AbortController().signal)
    await documents.show(l10n.t('Whole repository.txt'), repositoryList(contents))
  }
  const showText = (name: string, text: string) => documents.show(name, text)
  const shown = { showRepository, showText, onDidChangeSituation, onDidChangeFiles }
  return { drafts, contexts, context: { contexts, sources, referenceOf, promptFiles, images, ...shown, clock, report } }
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

interface ChatNeeds {
  readonly page: ChatPageOptions
  readonly script: ChatPanelOptions['script']
  readonly facts: Awaited<ReturnType<typeof createFacts>>
  readonly colours: () => Promise<ColourSource>
  readonly unsent: Unsent
  readonly documents: ReadOnlyDocuments
}

async function createChatPanels(
  services: Services,
  context: ExtensionContext,
  { page, script, facts, colours, unsent, documents }: ChatNeeds,
): Promise<ChatPanels> {
  const { signIn, settings, selection, clock, keys, log, report } = services
  const [{ AddressOpener }, { ChatPanels }, { UnsentMessages }] = await Promise.all([
    import('../editor/chat/addressOpener.ts'),
    import('../editor/chat/chatPanels.ts'),
    import('../editor/chat/unsentMessages.ts'),
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
      services.chatPresence.changed.fire()
    },
    onFault: report,
    documents,
    history: {
      sessions: services.sessions,
      list: services.history,
      unsent: new UnsentMessages({
        drafts,
        stored: services.stored,
        isOpen: conversation => services.sessions.all.some(({ id }) => id === conversation),
        workspace: services.root,
      }),
      workspace: services.root,
      keys,
      report,
    },
    page,
    panel: {
      ...facts,
      log,
      onReady: selection.prefetch,
      names: services.names,
      whenRestored: services.whenRestored,
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
      script,
      addresses: new AddressOpener(),
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
  const tokenizer = new WorkerTokenizer({ script: inDist('tokenizeWorker.cjs'), wasm: inDist('onig.wasm.br'), clock })
  return disposables.add(new CodeColours(disposables.add(tokenizer), log))
}
