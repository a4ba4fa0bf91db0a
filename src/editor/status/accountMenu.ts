// The menu behind the status bar item.
import { commands, type QuickPickItem, QuickPickItemKind, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { AccountState } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import { isSigningIn, type SignInState } from '../../core/account/signInState.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { type CommandId, runCommand } from '../ui/commands.ts'
import { sanitize } from '../ui/sanitize.ts'
import { holderTexts, usage } from '../ui/waitText.ts'
import { isCodeUsable } from './codeLook.ts'

export interface MenuFacts {
  readonly account: AccountState
  readonly signIn: SignInState
  readonly service: string
  readonly model: string | undefined
  readonly line: QueueState
  readonly isCompleting: boolean
  readonly canUseBrowser: boolean
  readonly clock: Clock
  readonly cancelSignIn: () => void
  /** The services that can be asked once more to revoke a key, by name; empty where there are none. */
  readonly unrevokedAt: string
  readonly revokeAgain: () => void
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
  if (isOfEnvironment(account)) return `Kourier: ${service}, with the key of ${ENVIRONMENT_NAME}`
  if (account.is === 'in') return `Kourier: ${sanitize(account.account.email ?? account.account.service)}`
  return account.is === 'refused' ? `Kourier: ${service} no longer accepts the key` : 'Kourier: signed out'
}

function itemsFor(facts: MenuFacts): MenuItem[] {
  return [...unrevokedItems(facts), ...itemsOfState(facts)]
}

/** First: it is gone with the window. */
function unrevokedItems({ unrevokedAt, revokeAgain }: MenuFacts): MenuItem[] {
  if (!unrevokedAt) return []
  const description = `${unrevokedAt} did not confirm that it was revoked`
  return [{ label: '$(warning) Revoke the Last Key Again', description, run: revokeAgain }]
}

function itemsOfState(facts: MenuFacts): MenuItem[] {
  if (isSigningIn(facts.signIn)) return [...signInItems(facts), ...alwaysItems()]
  if (facts.account.is === 'in' && isOfEnvironment(facts.account))
    return [...workItems(facts), ...alwaysItems(), ...waysIn(facts)]
  if (facts.account.is === 'in')
    return [...workItems(facts), ...alwaysItems(), { label: '$(sign-out) Sign Out…', run: 'kourier.signOut' }]
  const again: MenuItem[] =
    facts.account.is === 'refused' && !isOfEnvironment(facts.account)
      ? [{ label: '$(sign-out) Sign Out…', run: 'kourier.signOut' }]
      : []
  return [...waysIn(facts), ...again, ...alwaysItems()]
}

function waysIn({ canUseBrowser }: MenuFacts): MenuItem[] {
  const browser: MenuItem = { label: '$(globe) Sign In with the Browser', run: 'kourier.signInWithBrowser' }
  return [
    { label: '$(sign-in) Sign In', run: 'kourier.signIn' },
    ...(canUseBrowser ? [browser] : []),
    { label: '$(key) Use an API Key', run: 'kourier.useApiKey' },
    { label: '$(server) Change Address…', run: 'kourier.signIn.changeAddress' },
  ]
}

function isOfEnvironment(account: AccountState): boolean {
  return (account.is === 'in' || account.is === 'refused') && account.account.origin === 'environment'
}

function signInItems({ signIn, clock, cancelSignIn }: MenuFacts): MenuItem[] {
  const cancel: MenuItem = { label: '$(close) Cancel Sign-In', run: cancelSignIn }
  if (signIn.is !== 'code' || signIn.step.is === 'renewing') return [cancel]
  const another: MenuItem = { label: '$(refresh) Get a New Code', run: 'kourier.signIn.renew' }
  if (!isCodeUsable(signIn.step, clock)) return [another, cancel]
  return [
    { label: '$(link-external) Open Browser', run: 'kourier.signIn.openBrowser' },
    { label: '$(copy) Copy Code', run: 'kourier.signIn.copyCode' },
    another,
    cancel,
  ]
}

function workItems({ model, isCompleting, line }: MenuFacts): MenuItem[] {
  return [
    { label: '$(comment-discussion) Open Chat', run: 'kourier.openChat' },
    { label: '$(add) New Chat', run: 'kourier.newChat' },
    {
      label: isCompleting ? '$(circle-slash) Turn Completions Off' : '$(check) Turn Completions On',
      run: 'kourier.toggleCompletions',
    },
    {
      label: '$(server) Select Model',
      description: model ? sanitize(model) : 'none chosen',
      run: 'kourier.selectModel',
    },
    { label: '$(dashboard) Open Dashboard', run: 'kourier.openDashboard' },
    lineItem(line),
  ]
}

/** What eats the plan's limit, in every window. */
function lineItem(line: QueueState): MenuItem {
  const waiting = line.waiting > 0 ? `, ${line.waiting} waiting` : ''
  return {
    label: `$(pulse) Requests: ${usage(line)}${waiting}`,
    description: holderTexts(line).map(sanitize).join('; '),
  }
}

function alwaysItems(): MenuItem[] {
  return [
    { label: '', kind: QuickPickItemKind.Separator },
    { label: '$(book) Get Started', run: openWalkthrough },
    { label: '$(output) Show Log', run: 'kourier.showLog' },
  ]
}

function openWalkthrough(): void {
  void commands.executeCommand('workbench.action.openWalkthrough', 'kourier.kourier#start', false)
}
