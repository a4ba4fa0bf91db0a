// The menu behind the status bar item.
import { type QuickPickItem, QuickPickItemKind, window } from 'vscode'
import type { AccountState } from '../../core/auth/account.ts'
import type { SignInState } from '../account/signInView.ts'
import { type CommandId, runCommand } from '../commands.ts'
import { inert } from '../notify.ts'

export interface MenuFacts {
  readonly account: AccountState
  readonly signIn: SignInState
  readonly service: string
  readonly model: string | undefined
  readonly isCompleting: boolean
  readonly cancelSignIn: () => void
}

interface MenuItem extends QuickPickItem {
  readonly run?: CommandId | (() => void)
}

export async function showMenu(facts: MenuFacts): Promise<void> {
  const chosen = await window.showQuickPick(itemsFor(facts), { title: titleFor(facts) })
  if (typeof chosen?.run === 'function') chosen.run()
  else if (chosen?.run) runCommand(chosen.run)
}

function titleFor({ account, service }: MenuFacts): string {
  if (account.is === 'in') return `Kourier: ${inert(account.account.email ?? account.account.service)}`
  return account.is === 'refused' ? `Kourier: ${service} no longer accepts the key` : 'Kourier: signed out'
}

function itemsFor(facts: MenuFacts): MenuItem[] {
  if (facts.signIn.is !== 'idle') return [...signInItems(facts), ...alwaysItems()]
  if (facts.account.is === 'in')
    return [...workItems(facts), ...alwaysItems(), { label: '$(sign-out) Sign Out…', run: 'kourier.signOut' }]
  const again: MenuItem[] =
    facts.account.is === 'refused' ? [{ label: '$(sign-out) Sign Out…', run: 'kourier.signOut' }] : []
  return [
    { label: '$(sign-in) Sign In', run: 'kourier.signIn' },
    { label: '$(key) Use an API Key', run: 'kourier.useApiKey' },
    ...again,
    ...alwaysItems(),
  ]
}

function signInItems({ signIn, cancelSignIn }: MenuFacts): MenuItem[] {
  const cancel: MenuItem = { label: '$(close) Cancel Sign-In', run: cancelSignIn }
  if (signIn.is !== 'code') return [cancel]
  return [
    { label: '$(link-external) Open Browser', run: 'kourier.signIn.openBrowser' },
    { label: '$(copy) Copy Code', run: 'kourier.signIn.copyCode' },
    { label: '$(refresh) Get a New Code', run: 'kourier.signIn.renew' },
    cancel,
  ]
}

function workItems({ model, isCompleting }: MenuFacts): MenuItem[] {
  return [
    { label: '$(comment-discussion) Open Chat', run: 'kourier.openChat' },
    { label: '$(add) New Chat', run: 'kourier.newChat' },
    {
      label: isCompleting ? '$(circle-slash) Turn Completions Off' : '$(check) Turn Completions On',
      run: 'kourier.toggleCompletions',
    },
    { label: '$(server) Select Model', description: model ? inert(model) : 'none chosen', run: 'kourier.selectModel' },
    { label: '$(dashboard) Open Dashboard', run: 'kourier.openDashboard' },
  ]
}

function alwaysItems(): MenuItem[] {
  return [
    { label: '', kind: QuickPickItemKind.Separator },
    { label: '$(output) Show Log', run: 'kourier.showLog' },
  ]
}
