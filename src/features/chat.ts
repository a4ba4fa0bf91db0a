// `startChat`: the chat in the side bar and in editor tabs, and its commands.
import { type ExtensionContext, languages, Uri, type WebviewView, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { lazy } from '../base/lazy.ts'
import type { AddToChat } from '../editor/chat/addToChat.ts'
import { chatCodeActionKinds, chatCodeActions } from '../editor/chat/chatCodeActions.ts'
import type { ChatPanels } from '../editor/chat/chatPanels.ts'
import type { ColourSource } from '../editor/chat/pageColours.ts'
import { restrictedNotice } from '../editor/chat/restrictedNotice.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { PromptPart } from '../protocol/conversation.ts'
import type { Services } from './services.ts'

const VIEW = 'kourier.chat'
const EDITOR = 'kourier.chatEditor'

/** The panels are loaded when one is first shown. */
export function startChat(services: Services, context: ExtensionContext): Disposable {
  const { account, signIn, settings, catalog, selection, chatPresence, report } = services
  const disposables = new DisposableStore()
  let made: ChatPanels | undefined
  const colours = lazy(() => createCodeColours(services, context, disposables))
  const panels = lazy(async () => {
    made = disposables.add(await createChatPanels(services, context, colours))
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
  const send = () => made?.sendFacts()
  for (const onDidChange of [account.onDidChange, signIn.onDidChange, catalog.onDidChange, settings.onDidChange])
    disposables.add(onDidChange(send))
  disposables.add(workspace.onDidGrantWorkspaceTrust(send))
  // The page may be ready before the keyring has answered who is signed in.
  disposables.add(account.onDidChange(() => chatPresence.isVisible && selection.prefetch()))
  disposables.add(
    registerCommands(
      {
        'kourier.openChat': async () => (await panels()).show(),
        'kourier.openChatInEditor': async () => (await panels()).showInEditor(),
        'kourier.moveToSideBar': async () => (await panels()).moveToSideBar(),
        'kourier.findInChat': async () => (await panels()).find(),
        'kourier.newChat': async () => (await panels()).showNew(),
        'kourier.showHistory': async () => (await panels()).showHistory(),
        'kourier.exportChat': async () => (await panels()).exportChat(),
        'kourier.importChat': async () => (await panels()).importChat(),
      },
      report,
    ),
  )
  const adding = lazy(async () => createAddToChat(services, await panels()))
  disposables.add(registerAddCommands(adding, report))
  disposables.add(
    languages.registerCodeActionsProvider('*', chatCodeActions, { providedCodeActionKinds: chatCodeActionKinds }),
  )
  return disposables
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
    compose: text => panels.compose(text),
    terminalSelection: () => terminal.selection(),
  })
}

async function createChatPanels(
  services: Services,
  context: ExtensionContext,
  colours: () => Promise<ColourSource>,
): Promise<ChatPanels> {
  const { account, signIn, settings, selection, clock, keys, log, report } = services
  const [{ panelAccount }, { ChatPanels }, { DraftMemory }, { DraftContents }, { DraftContexts }, consent, available] =
    await Promise.all([
      import('../editor/account/panelAccount.ts'),
      import('../editor/chat/chatPanels.ts'),
      import('../editor/chat/draftMemory.ts'),
      import('../editor/chat/draftContents.ts'),
      import('../editor/chat/draftContexts.ts'),
      import('../editor/chat/contextConsent.ts'),
      services.context(),
    ])
  const drafts = new DraftMemory(context.workspaceState, keys)
  const contents = new DraftContents(Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'drafts'))
  void contents.removeOthers(drafts.contents)
  const { sources, promptFiles, links } = available
  const contexts = services.life.add(
    new DraftContexts({
      drafts,
      report,
      context: {
        sources,
        confirm: consent.confirmContext,
        problemText: consent.unavailableText,
        omissionText: consent.omissionText,
        tokensOf: parts => promptTokens(services, parts),
        store: part => contents.store(part),
        load: name => contents.load(name),
        newId: () => crypto.randomUUID(),
      },
    }),
  )
  return new ChatPanels({
    viewId: VIEW,
    editorType: EDITOR,
    sessions: services.sessions,
    sideBar: services.sideBar,
    state: context.workspaceState,
    onDidChangeVisibility: isVisible => {
      services.chatPresence.isVisible = isVisible
    },
    onFault: report,
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
      limits: restrictedNotice,
      fork: (session, turn) => services.sessions.fork(session, turn),
      report,
      clock,
      keys,
      drafts,
      context: { contexts, sources, promptFiles, report },
      colours,
      code: services.code,
      links,
      signIn,
    },
  })
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
