// `startChat`: the chat view and its commands.
import { type ExtensionContext, type WebviewView, window, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { lazy } from '../base/lazy.ts'
import type { ChatView } from '../editor/chat/chatView.ts'
import { restrictedNotice } from '../editor/chat/restrictedNotice.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { Services } from './services.ts'

const VIEW = 'kourier.chat'

/** The view is loaded when it is first shown. */
export function startChat(services: Services, context: ExtensionContext): Disposable {
  const { account, signIn, settings, catalog, selection, chatPresence, report } = services
  const disposables = new DisposableStore()
  let shown: ChatView | undefined
  const chat = lazy(async () => {
    shown = disposables.add(await createChatView(services, context))
    return shown
  })
  const provider = { resolveWebviewView: async (view: WebviewView) => (await chat()).resolve(view) }
  disposables.add(
    window.registerWebviewViewProvider(VIEW, provider, { webviewOptions: { retainContextWhenHidden: true } }),
  )
  const send = () => shown?.sendFacts()
  for (const onDidChange of [account.onDidChange, signIn.onDidChange, catalog.onDidChange, settings.onDidChange])
    disposables.add(onDidChange(send))
  disposables.add(workspace.onDidGrantWorkspaceTrust(send))
  // The page may be ready before the keyring has answered who is signed in.
  disposables.add(account.onDidChange(() => chatPresence.isVisible && selection.prefetch()))
  disposables.add(
    registerCommands(
      {
        'kourier.openChat': async () => (await chat()).show(),
        'kourier.newChat': async () => (await chat()).showNew(),
      },
      report,
    ),
  )
  return disposables
}

async function createChatView(services: Services, context: ExtensionContext): Promise<ChatView> {
  const { account, signIn, settings, selection, clock, keys, log } = services
  const [{ panelAccount }, { ChatView }, { DraftMemory }] = await Promise.all([
    import('../editor/account/panelAccount.ts'),
    import('../editor/chat/chatView.ts'),
    import('../editor/chat/draftMemory.ts'),
  ])
  return new ChatView({
    viewId: VIEW,
    extensionUri: context.extensionUri,
    sessions: services.sessions,
    log,
    account: () => panelAccount({ account, signIn, clock, redact: text => log.redactor.redact(text) }),
    model: () => selection.current,
    onReady: selection.prefetch,
    onDidChangeVisibility: isVisible => {
      services.chatPresence.isVisible = isVisible
    },
    names: services.names,
    sendOnEnter: () => settings.get('chat.sendOnEnter'),
    limits: restrictedNotice,
    clock,
    keys,
    drafts: new DraftMemory(context.workspaceState, keys),
    signIn,
  })
}
