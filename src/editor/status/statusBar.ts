// One item: who, how busy, what is wrong.
import { StatusBarAlignment, type StatusBarItem, ThemeColor, window, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { AccountState, SignedIn } from '../../core/account/account.ts'
import type { SignInState } from '../../core/account/signInState.ts'
import type { SessionState } from '../../core/agent/session.ts'
import type { Wait } from '../../core/model/queuedClient.ts'
import type { QueueState } from '../../core/schedule/scheduler.ts'
import { REVOKE_TEXT, signedInText } from '../ui/signedInText.ts'
import { workText } from '../ui/signInText.ts'
import { waitText } from '../ui/waitText.ts'
import { codeLook } from './codeLook.ts'
import { type Look, lines, workLook } from './workLook.ts'

export interface StatusFacts {
  readonly account: AccountState
  readonly signIn: SignInState
  readonly session: SessionState
  /** What is waited for: by the open conversation, else by the editor's own chat or another extension. */
  readonly wait: Wait | undefined
  readonly line: QueueState
  readonly isCompleting: boolean
  /** Only the user can name the model, and has not done so yet. */
  readonly isModelMissing: boolean
  /** The editor's own setting says that nobody looks at certificates. */
  readonly isUnchecked: boolean
}

export class StatusBar implements Disposable {
  readonly #item: StatusBarItem
  readonly #facts: () => StatusFacts
  readonly #clock: Clock
  /** Whether completions are on depends on the language in front. */
  readonly #listening = [
    window.onDidChangeActiveTextEditor(() => this.draw()),
    workspace.onDidChangeConfiguration(change => change.affectsConfiguration('http') && this.draw()),
  ]
  #ticking: NodeJS.Timeout | undefined
  #drawn: string | undefined

  constructor(facts: () => StatusFacts, clock: Clock) {
    this.#facts = facts
    this.#clock = clock
    this.#item = window.createStatusBarItem('kourier.status', StatusBarAlignment.Right, 100)
    this.#item.name = 'Kourier'
    this.#item.command = 'kourier.showMenu'
    this.draw()
    this.#item.show()
  }

  draw(): void {
    const facts = this.#facts()
    this.#tick(facts.signIn.is === 'code' || isCounting(facts.wait))
    const look = withBadge(lookOf(facts, this.#clock), facts)
    // The editor would lay out its whole bar for the same again.
    const drawn = JSON.stringify(look)
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    const { text, tooltip, isWarning } = look
    this.#item.text = text
    this.#item.tooltip = tooltip
    this.#item.accessibilityInformation = {
      label: `${text.replace(/\$\([^)]*\)\s*/g, '')}. ${tooltip}`,
      role: 'button',
    }
    this.#item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined
  }

  /** Only a live code and a wait need the second hand. */
  #tick(isNeeded: boolean): void {
    if (isNeeded) this.#ticking ??= setInterval(() => this.draw(), 1_000)
    else {
      clearInterval(this.#ticking)
      this.#ticking = undefined
    }
  }

  dispose(): void {
    this.#tick(false)
    for (const listening of this.#listening) listening.dispose()
    this.#item.dispose()
  }
}

/** Whoever switched the checks off for another program should know that the key travels without them too. */
function withBadge(look: Look, { isUnchecked }: StatusFacts): Look {
  if (!isUnchecked) return look
  return {
    text: `${look.text} $(unlock)`,
    tooltip: `${look.tooltip}\nCertificates are not checked, because http.proxyStrictSSL is off.`,
    isWarning: true,
  }
}

function lookOf(
  { account, signIn, session, wait, line, isCompleting, isModelMissing }: StatusFacts,
  clock: Clock,
): Look {
  if (signIn.is === 'code') return codeLook(signIn.step, clock)
  const work = workText(signIn)
  if (work) return { text: '$(loading~spin) Kourier: signing in', tooltip: work.text }
  switch (account.is) {
    case 'unknown':
      return { text: '$(sparkle) Kourier', tooltip: 'Reading who is signed in' }
    case 'out':
      return { text: '$(account) Kourier: sign in', tooltip: outText(account.from) }
    case 'refused':
      return {
        text: '$(warning) Kourier: sign in',
        tooltip: 'The key is no longer accepted. Select to sign in again.',
        isWarning: true,
      }
    case 'in':
      if (wait) return { text: '$(watch) Kourier: waiting', tooltip: lines(waitText(wait, clock.elapsed()), line) }
      if (isModelMissing) {
        const tooltip = `${whoText(account.account)} No model is selected yet. Select for the menu.`
        return { text: '$(sparkle) Kourier: select a model', tooltip }
      }
      return workLook(session, line, isCompleting, whoText(account.account))
  }
}

function outText(elsewhere: SignedIn | undefined): string {
  const why = elsewhere ? ` here: your key is for ${new URL(elsewhere.resource).host}` : ''
  return `You are signed out${why}. Select to sign in.`
}

/** A key of the environment is not ours to revoke. */
function whoText(account: SignedIn): string {
  return account.origin === 'environment' ? signedInText(account) : `${signedInText(account)} ${REVOKE_TEXT}`
}

function isCounting(wait: Wait | undefined): boolean {
  return wait !== undefined && wait.is !== 'in line'
}
