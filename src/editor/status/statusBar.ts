// One item: who, how busy, what is wrong.
import { StatusBarAlignment, type StatusBarItem, ThemeColor, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { AccountState } from '../../core/auth/account.ts'
import type { SessionState } from '../../core/chat/session.ts'
import { TransportError } from '../../core/http/errors.ts'
import type { LineState } from '../../core/schedule/scheduler.ts'
import { countdown, grouped, remainingMs } from '../account/codeText.ts'
import type { SignInState } from '../account/signInView.ts'
import { inert, waitText } from '../notify.ts'

export interface StatusFacts {
  readonly account: AccountState
  readonly signIn: SignInState
  readonly session: SessionState
  readonly line: LineState
  readonly isCompleting: boolean
}

interface Look {
  readonly text: string
  readonly tooltip: string
  readonly isWarning?: boolean
}

export class StatusBar implements Disposable {
  readonly #item: StatusBarItem
  readonly #facts: () => StatusFacts
  readonly #clock: Clock
  /** Whether completions are on depends on the language in front. */
  readonly #listening = window.onDidChangeActiveTextEditor(() => this.draw())
  #ticking: NodeJS.Timeout | undefined

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
    const { text, tooltip, isWarning } = lookOf(facts, this.#clock)
    this.#item.text = text
    this.#item.tooltip = tooltip
    this.#item.accessibilityInformation = {
      label: `${text.replace(/\$\([^)]*\)\s*/g, '')}. ${tooltip}`,
      role: 'button',
    }
    this.#item.backgroundColor = isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined
    this.#tick(facts.signIn.is === 'code')
  }

  /** Only a live code needs the second hand. */
  #tick(isNeeded: boolean): void {
    if (isNeeded) this.#ticking ??= setInterval(() => this.draw(), 1_000)
    else {
      clearInterval(this.#ticking)
      this.#ticking = undefined
    }
  }

  dispose(): void {
    this.#tick(false)
    this.#listening.dispose()
    this.#item.dispose()
  }
}

function lookOf({ account, signIn, session, line, isCompleting }: StatusFacts, clock: Clock): Look {
  if (signIn.is === 'code') {
    const left = remainingMs(signIn.step, clock)
    if (left === 0)
      return {
        text: '$(key) Kourier: code expired',
        tooltip: 'Get a new code in the chat view or here.',
        isWarning: true,
      }
    return {
      text: `$(key) ${grouped(signIn.step.code.text)} (${countdown(left)})`,
      tooltip: `Enter this code at ${signIn.step.code.host}. Select for what you can do.`,
    }
  }
  if (signIn.is === 'working') return { text: '$(loading~spin) Kourier: signing in', tooltip: signIn.text }
  switch (account.is) {
    case 'unknown':
      return { text: '$(sparkle) Kourier', tooltip: 'Reading who is signed in' }
    case 'out':
      return { text: '$(account) Kourier: sign in', tooltip: 'You are signed out. Select to sign in.' }
    case 'refused':
      return {
        text: '$(warning) Kourier: sign in',
        tooltip: 'The key is no longer accepted. Select to sign in again.',
        isWarning: true,
      }
    case 'in':
      return lookOfWork(session, line, isCompleting, `Signed in to ${inert(account.account.service)}`)
  }
}

function lookOfWork(session: SessionState, line: LineState, isCompleting: boolean, who: string): Look {
  if (session.is === 'waiting') return { text: '$(watch) Kourier: waiting', tooltip: waitText(session.wait) }
  if (session.is === 'failed' && session.fault instanceof TransportError) {
    return {
      text: '$(debug-disconnect) Kourier: offline',
      tooltip: `${session.fault.host} could not be reached. Retry in the chat.`,
    }
  }
  if (line.held > 0)
    return { text: '$(loading~spin) Kourier', tooltip: `Working (${line.held} of ${line.limit} requests)` }
  const quiet = isCompleting ? '' : ' Completions are off.'
  return {
    text: isCompleting ? '$(sparkle) Kourier' : '$(circle-slash) Kourier',
    tooltip: `${who}.${quiet} Select for the menu.`,
  }
}
