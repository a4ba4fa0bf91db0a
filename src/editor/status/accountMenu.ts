// `showMenu`: the menu of the status bar item.
import { commands, l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { AccountState } from '../../core/account/account.ts'
import { ENVIRONMENT_NAME } from '../../core/account/environmentKey.ts'
import { isSigningIn, type SignInState } from '../../core/account/signInState.ts'
import type { Silence } from '../../core/complete/silence.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { type CommandId, runCommand } from '../ui/commands.ts'
import { sanitize, sanitized } from '../ui/sanitize.ts'
import { holderTexts, usage } from '../ui/waitText.ts'
import { isCodeUsable } from './codeStatus.ts'
import { silenceText } from './silenceText.ts'

export interface MenuFacts {
  readonly account: AccountState
  readonly signIn: SignInState
  readonly service: string
  readonly model: string | undefined
  readonly queue: QueueState
  /** How many questions of turns wait for the user. */
  readonly questions: number
  readonly isCompleting: boolean
  readonly silence: Silence | undefined
  readonly canUseBrowser: boolean
  readonly clock: Clock
  readonly cancelSignIn: () => void
  /** Names of the services at which revoking a key can be retried; empty where there are none. */
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
  if (isEnvironmentKey(account))
    return l10n.t('Kourier: {service}, with the key of {variable}', { service, variable: ENVIRONMENT_NAME })
  if (account.is === 'in')
    return l10n.t('Kourier: {account}', sanitized({ account: account.account.email ?? account.account.service }))
  return account.is === 'refused'
    ? l10n.t('Kourier: {service} no longer accepts the key', { service })
    : l10n.t('Kourier: signed out')
}

function itemsFor(facts: MenuFacts): MenuItem[] {
  return [...unrevokedItems(facts), ...itemsOfState(facts)]
}

/** Shown first, because it can be retried only until the window closes. */
function unrevokedItems({ unrevokedAt, revokeAgain }: MenuFacts): MenuItem[] {
  if (!unrevokedAt) return []
  const description = l10n.t('{services} did not confirm that it was revoked', { services: unrevokedAt })
  return [{ label: `$(warning) ${l10n.t('Revoke the Last Key Again')}`, description, run: revokeAgain }]
}

function itemsOfState(facts: MenuFacts): MenuItem[] {
  if (isSigningIn(facts.signIn)) return [...signInItems(facts), ...alwaysItems()]
  if (facts.account.is === 'in' && isEnvironmentKey(facts.account))
    return [...workItems(facts), ...alwaysItems(), ...signInMethodItems(facts)]
  if (facts.account.is === 'in') return [...workItems(facts), ...alwaysItems(), signOutItem()]
  const canSignOut = facts.account.is === 'refused' && !isEnvironmentKey(facts.account)
  return [...signInMethodItems(facts), ...(canSignOut ? [signOutItem()] : []), ...alwaysItems()]
}

function signOutItem(): MenuItem {
  return { label: `$(sign-out) ${l10n.t('Sign Out…')}`, run: 'kourier.signOut' }
}

function signInMethodItems({ canUseBrowser }: MenuFacts): MenuItem[] {
  const browser: MenuItem = {
    label: `$(globe) ${l10n.t('Sign In with the Browser')}`,
    run: 'kourier.signInWithBrowser',
  }
  return [
    { label: `$(sign-in) ${l10n.t('Sign In')}`, run: 'kourier.signIn' },
    ...(canUseBrowser ? [browser] : []),
    { label: `$(key) ${l10n.t('Use an API Key')}`, run: 'kourier.useApiKey' },
    { label: `$(server) ${l10n.t('Change Address…')}`, run: 'kourier.signIn.changeAddress' },
  ]
}

function isEnvironmentKey(account: AccountState): boolean {
  return (account.is === 'in' || account.is === 'refused') && account.account.origin === 'environment'
}

function signInItems({ signIn, clock, cancelSignIn }: MenuFacts): MenuItem[] {
  const cancel: MenuItem = { label: `$(close) ${l10n.t('Cancel Sign-In')}`, run: cancelSignIn }
  if (signIn.is !== 'code' || signIn.step.is === 'renewing') return [cancel]
  const another: MenuItem = { label: `$(refresh) ${l10n.t('Get a New Code')}`, run: 'kourier.signIn.renew' }
  if (!isCodeUsable(signIn.step, clock)) return [another, cancel]
  return [
    { label: `$(link-external) ${l10n.t('Open Browser')}`, run: 'kourier.signIn.openBrowser' },
    { label: `$(copy) ${l10n.t('Copy Code')}`, run: 'kourier.signIn.copyCode' },
    another,
    cancel,
  ]
}

function workItems({ model, questions, isCompleting, silence, queue }: MenuFacts): MenuItem[] {
  const answer: MenuItem = { label: `$(bell-dot) ${l10n.t('Answer the Question')}`, run: 'kourier.showQuestion' }
  return [
    ...(questions > 0 ? [answer] : []),
    ...silenceItems(silence),
    { label: `$(comment-discussion) ${l10n.t('Open Chat')}`, run: 'kourier.openChat' },
    { label: `$(add) ${l10n.t('New Chat')}`, run: 'kourier.newChat' },
    {
      label: isCompleting
        ? `$(circle-slash) ${l10n.t('Turn Completions Off')}`
        : `$(check) ${l10n.t('Turn Completions On')}`,
      run: 'kourier.toggleCompletions',
    },
    {
      label: `$(bell-slash) ${
        silence?.why === 'snoozed'
          ? l10n.t('Snooze Completions for Five More Minutes')
          : l10n.t('Snooze Completions for Five Minutes')
      }`,
      run: 'kourier.snoozeCompletions',
    },
    {
      label: `$(server) ${l10n.t('Select Model')}`,
      description: model ? sanitize(model) : l10n.t('none selected'),
      run: 'kourier.selectModel',
    },
    { label: `$(dashboard) ${l10n.t('Open Dashboard')}`, run: 'kourier.openDashboard' },
    queueItem(queue),
  ]
}

/** Why no completion comes, and below it what selecting it does. */
function silenceItems(silence: Silence | undefined): MenuItem[] {
  if (!silence) return []
  const { text, action } = silenceText(silence)
  return [{ label: `$(info) ${text}`, ...(action && { detail: action.label, run: action.run }) }]
}

/** How many slots of the plan are in use, and by which windows. */
function queueItem(queue: QueueState): MenuItem {
  const values = { ...usage(queue), waiting: queue.waiting }
  const text =
    queue.waiting > 0
      ? l10n.t('Requests: {used} of {limit} in use, {waiting} waiting', values)
      : l10n.t('Requests: {used} of {limit} in use', values)
  return {
    label: `$(pulse) ${text}`,
    description: inOneLine(holderTexts(queue)),
  }
}

/** Not as `listed` does it, because each of the texts has commas of its own. */
function inOneLine([first = '', ...others]: readonly string[]): string {
  return others.reduce((list, next) => l10n.t('{list}; {next}', { list, next }), first)
}

function alwaysItems(): MenuItem[] {
  return [
    { label: '', kind: QuickPickItemKind.Separator },
    { label: `$(book) ${l10n.t('Get Started')}`, run: openWalkthrough },
    { label: `$(graph) ${l10n.t('Show Usage')}`, run: 'kourier.showUsage' },
    { label: `$(output) ${l10n.t('Show Log')}`, run: 'kourier.showLog' },
  ]
}

function openWalkthrough(): void {
  void commands.executeCommand('workbench.action.openWalkthrough', 'kourier.kourier#start', false)
}
