// Draws the steps of signing in: with a code, or with a pasted key.
import {
  env,
  type InputBoxOptions,
  ProgressLocation,
  type QuickPickItem,
  type QuickPickOptions,
  window,
  workspace,
} from 'vscode'
import { isStop, linkStop, throwIfStopped } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Account } from '../../core/auth/account.ts'
import { judgeBaseUrl, plainAddress } from '../../core/auth/address.ts'
import { Ceremony, type CeremonyStep } from '../../core/auth/ceremony.ts'
import { clientName, newTag } from '../../core/auth/clientName.ts'
import { KeyringError } from '../../core/auth/credentialStore.ts'
import { discover, type Service } from '../../core/auth/discovery.ts'
import { type EmailSource, isEmail } from '../../core/auth/email.ts'
import { githubEmail } from '../../core/auth/githubEmail.ts'
import type { Http } from '../../core/http/http.ts'
import type { Log } from '../../core/log/log.ts'
import type { Notice, PanelAction } from '../../protocol/panel.ts'
import type { Credential } from '../../protocol/stored.ts'
import { runCommand } from '../commands.ts'
import { inert, notice, noticeOf, showNotice } from '../notify.ts'
import type { EditorSettings } from '../settings.ts'
import { withToken } from '../signal.ts'
import { codeTitle } from './codeText.ts'
import { findEmails } from './emailSources.ts'

export type SignInState =
  | { readonly is: 'idle'; readonly notice?: Notice }
  | { readonly is: 'working'; readonly service: string; readonly text: string }
  | { readonly is: 'code'; readonly service: string; readonly tag: string; readonly step: ShowingStep }

export type ShowingStep = Extract<CeremonyStep, { is: 'showing' }>

export interface SignInOptions {
  readonly http: Http
  readonly account: Account
  readonly settings: EditorSettings
  readonly clock: Clock
  readonly log: Log
  /** Called once after somebody signed in. */
  readonly onSignedIn: () => void
}

const WORKING_MS = 1_000

/** The ways in, as a button names them. */
type Again = Extract<PanelAction, 'sign-in' | 'use-key'>

/**
 * One sign-in at a time, drawn in three places at once: here the notification, elsewhere the status bar and the chat
 * page, which listen. Whatever the user closes or misses, the state goes on and ends in a sentence.
 */
export class SignInView implements Disposable {
  readonly #options: SignInOptions
  readonly #changed = new Emitter<SignInState>()
  #state: SignInState = { is: 'idle' }
  #attempt: ReturnType<typeof linkStop> | undefined
  #ceremony: Ceremony | undefined
  /** How the service that was found last calls itself. */
  #found: { readonly host: string; readonly name: string } | undefined
  /** What was typed last and did not lead to a service. */
  #lastAddress = ''

  constructor(options: SignInOptions) {
    this.#options = options
  }

  readonly onDidChange: Event<SignInState> = this.#changed.event

  get state(): SignInState {
    return this.#state
  }

  /** The name to show before anybody has signed in. */
  get serviceName(): string {
    const { account, settings } = this.#options
    if (account.state.is === 'in' || account.state.is === 'refused') return inert(account.state.account.service)
    const host = settings.service?.host ?? 'Kourier'
    return this.#found?.host === host ? this.#found.name : host
  }

  /** Sign In, from whichever button. While one sign-in is under way, another only brings it into sight. */
  signIn({ asksAddress = false } = {}): Promise<void> {
    return this.#run('sign-in', async signal => {
      const service = await this.#findService(signal, asksAddress)
      const email = service && (await this.#agreedEmail(service, signal))
      if (!email) return
      const key = await this.#waitForApproval(service, email, signal)
      const { name, resource, issuer, revocationEndpoint } = service
      await this.#accept({
        version: 1,
        key,
        resource,
        issuer,
        revocationEndpoint,
        service: name,
        email,
        origin: 'registration',
      })
    })
  }

  /** Use an API Key: one made on the dashboard, checked before it is stored. */
  useApiKey(): Promise<void> {
    return this.#run('use-key', async signal => {
      const service = await this.#findService(signal)
      const key = service && (await this.#askKey(service, signal))
      if (!key) return
      this.#options.log.redactor.register(key)
      this.#move({ is: 'working', service: inert(service.name), text: 'Checking the key' })
      const refusal = await this.#judgeKey(service, key, signal)
      if (refusal) return this.#end(refusal)
      const { name, resource, issuer, revocationEndpoint } = service
      await this.#accept({ version: 1, key, resource, issuer, revocationEndpoint, service: name, origin: 'pasted' })
    })
  }

  cancel(): void {
    this.#attempt?.stop()
  }

  renew(): void {
    this.#ceremony?.renew()
  }

  async copyCode(): Promise<void> {
    if (this.#state.is === 'code') await env.clipboard.writeText(this.#state.step.code.text)
  }

  async openBrowser(): Promise<void> {
    if (this.#state.is === 'code') await openExactly(this.#state.step.code.uri)
  }

  /** One attempt from its first question to its last sentence. */
  async #run(again: Again, attempt: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#attempt) {
      runCommand('kourier.openChat')
      return
    }
    const stop = linkStop()
    this.#attempt = stop
    try {
      await attempt(stop.signal)
      if (this.#state.is !== 'idle') this.#move({ is: 'idle' })
    } catch (fault) {
      if (!isStop(fault)) this.#options.log.error('The sign-in ended', fault)
      if (isStop(fault)) this.#endCancelled()
      else this.#end(this.#noticeOf(fault, again))
    } finally {
      stop.unlink()
      this.#attempt = undefined
      this.#ceremony = undefined
    }
  }

  /** The same sentence in the notification and in the chat page. */
  #end(ended: Notice): void {
    this.#move({ is: 'idle', notice: ended })
    void showNotice(ended)
  }

  /** The user's own doing is no fault, but it is said: whoever closed the wrong thing finds the way back. */
  #endCancelled(): void {
    const ended = notice('The sign-in was cancelled; no key was kept.', 'sign-in')
    this.#move({ is: 'idle', notice: ended })
    void window.showInformationMessage(ended.text, 'Sign In').then(chosen => chosen && this.signIn())
  }

  /** Trying again means this way in again, wherever the button is drawn. */
  #noticeOf(fault: unknown, again: Again): Notice {
    const said = noticeOf(fault, { service: this.#serviceInHand })
    const isRepeatable = said.action?.id === 'retry' || said.action?.id === 'show-log'
    return isRepeatable ? { text: said.text, action: { id: again, label: 'Retry' } } : said
  }

  get #serviceInHand(): string {
    return this.#state.is === 'idle' ? this.serviceName : this.#state.service
  }

  /** The service at the address in the settings, or at one that the user names now; undefined when the user gave up. */
  async #findService(signal: AbortSignal, asksAddress = false): Promise<Service | undefined> {
    const { http, settings, clock } = this.#options
    const known = asksAddress ? undefined : settings.service
    const url = known ?? (await askAddress(this.#lastAddress || settings.baseUrl, signal))
    if (!url) return undefined
    this.#lastAddress = plainAddress(url)
    this.#move({ is: 'working', service: url.host, text: `Looking for the service at ${url.host}` })
    const service = await this.#withProgress(`Looking for the service at ${url.host}`, signal, inner =>
      discover(http, url, clock, inner),
    )
    this.#found = { host: url.host, name: inert(service.name) }
    if (!known) await settings.set('baseUrl', plainAddress(url))
    return service
  }

  /** The email that the user agreed to send. Nothing that carries it has been sent before this returns. */
  async #agreedEmail(service: Service, signal: AbortSignal): Promise<string | undefined> {
    const { http, clock } = this.#options
    this.#move({ is: 'working', service: inert(service.name), text: 'Waiting for your email' })
    const found = await findEmails({
      mayReadWorkspace: workspace.isTrusted,
      githubEmail: token => githubEmail(http, token, clock, signal),
    })
    const ask = () => askEmail(found, service, signal)
    for (let email = await ask(); email; email = await ask()) {
      this.#move({ is: 'working', service: inert(service.name), text: 'Waiting for your consent' })
      const answer = await askConsent(service, email)
      throwIfStopped(signal)
      if (answer === 'continue') return email
      if (answer === 'no') return undefined
    }
    return undefined
  }

  async #waitForApproval(service: Service, email: string, signal: AbortSignal): Promise<string> {
    const { http, clock, log } = this.#options
    const tag = newTag()
    const name = inert(service.name)
    const ceremony = new Ceremony({ http, service, email, clientName: clientName(tag), clock, log })
    this.#ceremony = ceremony
    this.#move({ is: 'working', service: name, text: 'Registering' })
    const listening = ceremony.onDidChange(step => {
      if (step.is === 'showing') this.#move({ is: 'code', service: name, tag, step })
      else this.#move({ is: 'working', service: name, text: 'Keeping the key' })
    })
    try {
      return await this.#withCodeNotification(name, signal, inner => ceremony.run(inner))
    } finally {
      listening.dispose()
    }
  }

  async #accept(credential: Credential): Promise<void> {
    if (!(await this.#keep(credential))) return
    this.#move({ is: 'idle' })
    const who = credential.email ? ` as ${inert(credential.email)}` : ''
    void window.showInformationMessage(`Signed in to ${inert(credential.service)}${who}.`)
    this.#options.onSignedIn()
  }

  /** The service hands a key out once, so a keyring that fails is asked again, or done without, or the key given back. */
  async #keep(credential: Credential): Promise<boolean> {
    const { account, log } = this.#options
    for (;;) {
      try {
        await account.accept(credential)
        return true
      } catch (fault) {
        if (!(fault instanceof KeyringError)) throw fault
        log.error('The key could not be kept', fault)
      }
      const text =
        'You are signed in, but this machine’s keyring could not keep the key. Unlock it and try again, or keep the key until this window closes.'
      const chosen = await window.showWarningMessage(text, 'Try Again', 'Keep for This Window')
      if (chosen === 'Keep for This Window') {
        await account.hold(credential)
        return true
      }
      if (chosen !== 'Try Again') {
        await account.giveUp(credential, new AbortController().signal)
        return false
      }
    }
  }

  async #askKey(service: Service, signal: AbortSignal): Promise<string | undefined> {
    const question: InputBoxOptions = {
      title: `API key for ${inert(service.name)}`,
      prompt: `Paste a key from the dashboard. It is kept in this editor's secret storage and sent to ${new URL(service.baseUrl).host} only.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: text =>
        /^[\x21-\x7e]{8,512}$/.test(text.trim()) ? undefined : 'A key is one word of letters, digits and signs.',
    }
    const typed = await withToken(signal, token => window.showInputBox(question, token))
    return typed?.trim()
  }

  /** Undefined when the service accepts the key; a list of models that is not there is no refusal. */
  async #judgeKey(service: Service, key: string, signal: AbortSignal): Promise<Notice | undefined> {
    const answer = await this.#options.http({
      method: 'GET',
      url: `${service.baseUrl}/v1/models`,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      limits: { firstByteMs: 15_000, silenceMs: 10_000 },
      signal,
    })
    answer.close()
    if (answer.status !== 401) return undefined
    return notice(
      `${inert(service.name)} does not accept this key. Check it on the dashboard under API Keys.`,
      'use-key',
    )
  }

  /** A notification only when it takes long enough to wonder. */
  async #withProgress<T>(title: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const done = work(signal)
    const isQuick = await Promise.race([
      done.then(
        () => true,
        () => true,
      ),
      new Promise<boolean>(resolve => this.#options.clock.later(WORKING_MS, () => resolve(false))),
    ])
    if (isQuick) return done
    return await window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => this.cancel())
        return done
      },
    )
  }

  /** Stays until the code is used, renewed or given up; an information toast would hide after some seconds. */
  async #withCodeNotification<T>(
    title: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#options
    return await window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        token.onCancellationRequested(() => this.cancel())
        let shown = ''
        const draw = () => {
          const text = this.#state.is === 'code' ? codeTitle(this.#state.step, clock) : ''
          if (text && text !== shown) progress.report({ message: text })
          shown = text
        }
        const listening = this.onDidChange(draw)
        const ticking = setInterval(draw, 1_000)
        try {
          return await work(signal)
        } finally {
          clearInterval(ticking)
          listening.dispose()
        }
      },
    )
  }

  #move(state: SignInState): void {
    this.#state = state
    this.#changed.fire(state)
  }

  dispose(): void {
    this.cancel()
    this.#changed.dispose()
  }
}

async function askAddress(wrong: string, signal: AbortSignal): Promise<URL | undefined> {
  const question: InputBoxOptions = {
    title: 'Address of your service',
    prompt: 'Ask whoever gave you Kourier. It is kept in your user settings.',
    placeHolder: 'https://api.example.com',
    value: wrong,
    ignoreFocusOut: true,
    validateInput: text => addressFault(text),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  const judged = typed === undefined ? undefined : judgeBaseUrl(typed)
  return judged && 'url' in judged ? judged.url : undefined
}

function addressFault(text: string): string | undefined {
  const judged = judgeBaseUrl(text)
  if ('url' in judged) return undefined
  switch (judged.fault) {
    case 'not https':
      return 'Only https:// addresses are used; http:// only for this very machine.'
    case 'has a user name':
      return 'Leave the user name out of the address.'
    case 'not an address':
    case 'elsewhere':
    case 'odd characters':
      return text.trim() ? 'This is not a web address.' : 'Type the address of your service.'
  }
}

interface EmailItem extends QuickPickItem {
  readonly email?: string
}

/** One list with the source of each; another address can always be typed. */
async function askEmail(
  found: readonly EmailSource[],
  service: Service,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (found.length === 0) return typeEmail('', service, signal)
  const other: EmailItem = { label: '$(edit) Type another address…', alwaysShow: true }
  const items: EmailItem[] = found.map(({ email, source }) => ({ label: email, description: source, email }))
  const question: QuickPickOptions = {
    title: `Sign in to ${inert(service.name)}: your email`,
    placeHolder: 'The address of your account there. Nothing is sent yet.',
    ignoreFocusOut: true,
  }
  const chosen = await withToken(signal, token => window.showQuickPick([...items, other], question, token))
  return chosen && (chosen.email ?? typeEmail(found[0]?.email ?? '', service, signal))
}

async function typeEmail(guess: string, service: Service, signal: AbortSignal): Promise<string | undefined> {
  const question: InputBoxOptions = {
    title: `Sign in to ${inert(service.name)}: your email`,
    prompt: 'The address of your account there. Nothing is sent yet.',
    placeHolder: 'you@example.com',
    value: guess,
    ignoreFocusOut: true,
    validateInput: text => (isEmail(text.trim()) ? undefined : 'Type an email address, such as you@example.com.'),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  return typed?.trim()
}

async function askConsent(service: Service, email: string): Promise<'continue' | 'another' | 'no'> {
  const host = new URL(service.issuer).host
  const api = new URL(service.baseUrl).host
  const chosen = await window.showInformationMessage(
    `Sign in to ${inert(service.name)} as ${inert(email)}?`,
    {
      modal: true,
      detail: [
        `Your email and the name of this machine are sent to ${host}, which makes an API key for this editor once you approve it there.`,
        api === host ? '' : `The key is then used at ${api}.`,
        'The key can use your plan until you revoke it, by signing out here or on the dashboard.',
      ]
        .filter(line => line)
        .join('\n\n'),
    },
    'Continue',
    'Use Another Email',
  )
  if (chosen === 'Continue') return 'continue'
  return chosen === 'Use Another Email' ? 'another' : 'no'
}

/**
 * The editor re-encodes the query of a `Uri`, and a server then reads another one. At run time it takes the text as it
 * is; only the typing does not know it.
 */
async function openExactly(url: string): Promise<void> {
  await env.openExternal(url as unknown as Parameters<typeof env.openExternal>[0])
}
