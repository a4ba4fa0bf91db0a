// The chat in the side bar.
import { type ExtensionContext, workspace } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { panelAccount } from '../editor/account/panelAccount.ts'
import { ChatView } from '../editor/chat/chatView.ts'
import { DraftMemory } from '../editor/chat/draftMemory.ts'
import { restrictedNotice } from '../editor/chat/restrictedNotice.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { Services } from './services.ts'

export function startChat(services: Services, context: ExtensionContext): Disposable {
  const { account, signIn, settings, catalog, choice, clock, keys, report } = services
  const life = new DisposableStore()
  const chat = life.add(
    new ChatView({
      extensionUri: context.extensionUri,
      sessions: services.sessions,
      log: services.log,
      account: () => panelAccount({ account, signIn, clock, redact: text => services.log.redactor.redact(text) }),
      model: () => choice.current,
      onReady: choice.warm,
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
    }),
  )
  const send = () => chat.sendFacts()
  for (const onDidChange of [account.onDidChange, signIn.onDidChange, catalog.onDidChange, settings.onDidChange])
    life.add(onDidChange(send))
  life.add(workspace.onDidGrantWorkspaceTrust(send))
  life.add(registerCommands({ 'kourier.openChat': () => chat.show(), 'kourier.newChat': () => chat.showNew() }, report))
  return life
}
