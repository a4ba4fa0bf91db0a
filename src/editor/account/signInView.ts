// Shows a sign-in as notifications: its current step, and the notice about its end.
import { l10n, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { Account } from '../../core/account/account.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { EndedState, SignInState } from '../../core/account/signInState.ts'
import { runCommand } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { showNotice } from '../ui/notices.ts'
import { sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import { showWhile } from '../ui/showWhile.ts'
import { revokeText, signedInText } from '../ui/signedInText.ts'
import { searchText } from '../ui/signInText.ts'
import { showKeyReport } from './keyReports.ts'
import { showIfLong } from './showIfLong.ts'
import type { OpenDashboard } from './unrevoked.ts'

const SHOW_AFTER_MS = 1_000

export interface SignInViewOptions {
  readonly signIn: SignIn
  readonly account: Account
  readonly clock: Clock
  /** Takes the secrets of this session out of a text. */
  readonly redact: (text: string) => string
  readonly openDashboard: OpenDashboard
  /** The page shows how a sign-in goes and how it ended: a user who looks at it needs no notification. */
  readonly isChatVisible: () => boolean
}

/** Which notification a step has; it stays open while successive steps have the same one. */
type NotificationKind = 'nothing' | 'search' | 'code' | 'browser'

/** The status bar and the chat page show the same state, so the user can close a notification. */
export class SignInView implements Disposable {
  readonly #options: SignInViewOptions
  readonly #life = new DisposableStore()
  #notification: NotificationKind = 'nothing'
  #close: () => void = () => {}

  constructor(options: SignInViewOptions) {
    const { signIn, account, openDashboard } = options
    this.#options = options
    this.#life.add(signIn.onDidChange(state => this.#draw(state)))
    this.#life.add(signIn.onDidEnd(state => void this.#notifyEnd(state)))
    this.#life.add(signIn.onDidReport(report => showKeyReport(report, { account, openDashboard })))
    this.#life.add(
      signIn.onDidFindCutOff(async ({ last }) => {
        const { cutOffElsewhere } = await import('./signInEndings.ts')
        const chosen = await window.showInformationMessage(cutOffElsewhere(), l10n.t('Open Dashboard'))
        if (chosen) openDashboard(last?.issuer)
      }),
    )
  }

  #draw(state: SignInState): void {
    const shown = this.#notificationFor(state)
    if (shown === this.#notification) return
    this.#close()
    const { promise: until, resolve } = Promise.withResolvers<void>()
    this.#notification = shown
    this.#close = resolve
    const onCancel = () => this.#options.signIn.cancel()
    if (state.is === 'finding the service') this.#showSearch(state.host, until, onCancel)
    else if (shown !== 'nothing') void this.#showProgress(shown, until, onCancel)
  }

  /** A code is notified in any case. Of the other steps the chat page shows the same sentence. */
  #notificationFor(state: SignInState): NotificationKind {
    const kind = notificationFor(state)
    return kind !== 'code' && this.#options.isChatVisible() ? 'nothing' : kind
  }

  #showSearch(host: string, done: Promise<void>, onCancel: () => void): void {
    const { clock } = this.#options
    const still = l10n.t('Looking for the service at {host} takes longer than usual; still trying', { host })
    void showIfLong({ text: searchText(host), done, afterMs: SHOW_AFTER_MS, still, onCancel }, clock)
  }

  async #showProgress(shown: NotificationKind, until: Promise<void>, onCancel: () => void): Promise<void> {
    const { signIn, clock } = this.#options
    const { signInTitle } = await import('./signInTitle.ts')
    if (this.#notification === shown) await showWhile({ text: () => signInTitle(signIn.state, clock), onCancel, until })
  }

  async #notifyEnd(state: EndedState): Promise<void> {
    const { signIn, account, redact, isChatVisible } = this.#options
    const { ending } = state
    if (ending.why === 'signed in') return welcome(ending)
    if (ending.why === 'signed in before')
      return void window.showInformationMessage(
        l10n.t('You are signed in to {service}.', sanitized({ service: ending.service })),
      )
    if (ending.why === 'not agreed') return
    const { endingNotice, overtakenText } = await import('./signInEndings.ts')
    const notice = endingNotice(state, { signIn, account, redact })
    const overtaken = ending.why === 'overtaken' && overtakenText(account)
    const isInPage = isChatVisible() && account.state.is !== 'unknown'
    if (notice && !isInPage) void showNotice(notice, { isFault: ending.why !== 'cancelled' })
    else if (overtaken) void window.showInformationMessage(overtaken)
  }

  dispose(): void {
    this.#close()
    this.#life.dispose()
  }
}

function notificationFor({ is }: SignInState): NotificationKind {
  switch (is) {
    case 'finding the service':
      return 'search'
    case 'registering':
    case 'code':
      return 'code'
    case 'browser':
    case 'fetching the key':
      return 'browser'
    default:
      return 'nothing'
  }
}

/** Does not name the plan, because only the dashboard shows it. */
function welcome({ service, email }: { readonly service: string; readonly email: string | undefined }): void {
  const text = sentences(signedInText({ service, email }), revokeText())
  void inform(text, l10n.t('Open Chat'), () => runCommand('kourier.openChat'))
}
