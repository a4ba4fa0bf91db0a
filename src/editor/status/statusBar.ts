// `StatusBar`: the one status bar item: account, sign-in, waits and faults.
import { l10n, StatusBarAlignment, type StatusBarItem, ThemeColor, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { coalesced } from '../../base/coalesced.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { AccountState, SignedIn } from '../../core/account/account.ts'
import type { SignInState } from '../../core/account/signInState.ts'
import type { SessionState } from '../../core/agent/session.ts'
import type { Silence } from '../../core/complete/silence.ts'
import type { Wait } from '../../core/model/queuedClient.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { sentences } from '../ui/sentences.ts'
import { revokeText, signedInText } from '../ui/signedInText.ts'
import { workText } from '../ui/signInText.ts'
import { waitText } from '../ui/waitText.ts'
import { codeStatus } from './codeStatus.ts'
import { type StatusContent, withHolders, workStatus } from './workStatus.ts'

export interface StatusFacts {
  readonly account: AccountState
  readonly signIn: SignInState
  readonly session: SessionState
  /** The wait of the open conversation, else of a request of the editor's own chat or another extension. */
  readonly wait: Wait | undefined
  readonly queue: QueueState
  /** How many questions of turns wait for the user. */
  readonly questions: number
  readonly isCompleting: boolean
  /** Why no completion comes in the editor in front; undefined where one may come. */
  readonly silence: Silence | undefined
  /** The editor's setting `http.proxyStrictSSL` is off, so certificates are not verified. */
  readonly isTlsUnverified: boolean
}

export class StatusBar implements Disposable {
  readonly #item: StatusBarItem
  readonly #facts: () => StatusFacts
  readonly #clock: Clock
  /** The active editor matters, because completions are on or off by language. */
  readonly #subscriptions = [
    window.onDidChangeActiveTextEditor(() => this.draw()),
    workspace.onDidChangeConfiguration(change => change.affectsConfiguration('http') && this.draw()),
  ]
  #interval: NodeJS.Timeout | undefined
  #drawn: string | undefined
  #isDisposed = false

  constructor(facts: () => StatusFacts, clock: Clock) {
    this.#facts = facts
    this.#clock = clock
    this.#item = window.createStatusBarItem('kourier.status', StatusBarAlignment.Right, 100)
    this.#item.name = 'Kourier'
    this.#item.command = 'kourier.showMenu'
    this.draw()
    this.#item.show()
  }

  /** Draws after the current task, because one change is often reported by several events. */
  readonly draw: () => void = coalesced(() => this.#draw())

  #draw(): void {
    if (this.#isDisposed) return
    const facts = this.#facts()
    this.#setTicking(facts.signIn.is === 'code' || isCounting(facts.wait))
    const content = withBadge(contentOf(facts, this.#clock), facts)
    // Unchanged content is not set again, because the editor would lay out its whole status bar.
    const drawn = JSON.stringify(content)
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    const { text, tooltip, isWarning } = content
    this.#item.text = text
    this.#item.tooltip = tooltip
    this.#item.accessibilityInformation = {
      label: l10n.t('{status}. {details}', { status: text.replace(/\$\([^)]*\)\s*/g, ''), details: tooltip }),
      role: 'button',
    }
    this.#item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined
  }

  /** Redraws each second while a code or a wait shows a time. */
  #setTicking(isNeeded: boolean): void {
    if (isNeeded) this.#interval ??= setInterval(() => this.draw(), 1_000)
    else {
      clearInterval(this.#interval)
      this.#interval = undefined
    }
  }

  dispose(): void {
    this.#isDisposed = true
    this.#setTicking(false)
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#item.dispose()
  }
}

/** Warns that the key is sent without certificate checks, because the user may have turned them off for another reason. */
function withBadge(content: StatusContent, { isTlsUnverified }: StatusFacts): StatusContent {
  if (!isTlsUnverified) return content
  return {
    text: `${content.text} $(unlock)`,
    tooltip: [content.tooltip, l10n.t('Certificates are not checked, because http.proxyStrictSSL is off.')].join('\n'),
    isWarning: true,
  }
}

function contentOf(
  { account, signIn, session, questions, wait, queue, silence }: StatusFacts,
  clock: Clock,
): StatusContent {
  if (signIn.is === 'code') return codeStatus(signIn.step, clock)
  const work = workText(signIn)
  if (work) return { text: `$(loading~spin) ${l10n.t('Kourier: signing in')}`, tooltip: work.text }
  switch (account.is) {
    case 'unknown':
      return { text: '$(sparkle) Kourier', tooltip: l10n.t('Reading who is signed in') }
    case 'out':
      return { text: `$(account) ${l10n.t('Kourier: sign in')}`, tooltip: signedOutText(account.from) }
    case 'refused':
      return {
        text: `$(warning) ${l10n.t('Kourier: sign in')}`,
        tooltip: l10n.t('The key is no longer accepted. Select to sign in again.'),
        isWarning: true,
      }
    case 'in':
      if (questions > 0)
        return {
          text: `$(bell-dot) ${l10n.t('Kourier: waiting for you')}`,
          tooltip: l10n.t('The model asks for your permission. Select to answer.'),
        }
      if (wait)
        return {
          text: `$(watch) ${l10n.t('Kourier: waiting')}`,
          tooltip: withHolders(waitText(wait, clock.elapsed()), queue),
        }
      return workStatus(session, queue, silence, whoText(account.account))
  }
}

function signedOutText(otherService: SignedIn | undefined): string {
  if (!otherService) return l10n.t('You are signed out. Select to sign in.')
  const { host } = new URL(otherService.resource)
  return l10n.t('You are signed out here: your key is for {host}. Select to sign in.', { host })
}

/** An environment key cannot be revoked by signing out. */
function whoText(account: SignedIn): string {
  return account.origin === 'environment' ? signedInText(account) : sentences(signedInText(account), revokeText())
}

function isCounting(wait: Wait | undefined): boolean {
  return wait !== undefined && wait.is !== 'in line'
}
