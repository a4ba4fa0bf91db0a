// Draws the steps of signing in: with a code, with the browser, or with a pasted key.
import { env, window, workspace } from 'vscode'
import { AbortedError, isAbort, linkedAbort, raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { Account, AccountState } from '../../core/account/account.ts'
import { signInWithBrowser } from '../../core/account/browserSignIn.ts'
import { clientName, newTag } from '../../core/account/clientName.ts'
import { type CodeStep, DeviceFlow } from '../../core/account/deviceFlow.ts'
import type { Service } from '../../core/account/discovery.ts'
import { githubEmail } from '../../core/account/githubEmail.ts'
import { isKeyAccepted } from '../../core/account/keyCheck.ts'
import type { Machine } from '../../core/account/machine.ts'
import { SignInError } from '../../core/account/signInError.ts'
import type { Http } from '../../core/http/http.ts'
import type { Log } from '../../core/log/log.ts'
import type { Notice } from '../../protocol/panel.ts'
import type { Credential } from '../../protocol/stored.ts'
import { browserTitle, codeTitle, workingTitle } from '../ui/codeText.ts'
import { runCommand } from '../ui/commands.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { inform } from '../ui/inform.ts'
import { notice, showNotice } from '../ui/notices.ts'
import { sanitize } from '../ui/sanitize.ts'
import { showWhile } from '../ui/showWhile.ts'
import { REVOKE_TEXT, signedInText } from '../ui/signedInText.ts'
import { askAgreedEmail } from './askEmail.ts'
import { askKey } from './askKey.ts'
import { findEmails } from './emailSources.ts'
import { credentialOf, type Got, IssuedKeys } from './issuedKeys.ts'
import { openExactly } from './openExactly.ts'
import { ServiceFinder } from './serviceFinder.ts'
import { wantsSignInHere } from './signedInElsewhere.ts'
import {
  cancelledEnding,
  cutOffElsewhere,
  cutOffEnding,
  faultEnding,
  otherWay,
  overtakenEnding,
  type SignInMethod,
} from './signInEndings.ts'
import type { LastSignIn, SignInMemory } from './signInMemory.ts'
import type { OpenDashboard } from './unrevoked.ts'

export type SignInState =
  | { readonly is: 'idle'; readonly notice?: Notice }
  | { readonly is: 'working'; readonly service: string; readonly text: string }
  | { readonly is: 'code'; readonly service: string; readonly tag: string; readonly step: CodeStep }

export interface SignInOptions {
  readonly http: Http
  readonly account: Account
  readonly settings: EditorSettings
  readonly memory: SignInMemory
  readonly machine: Machine
  /** A browser that is opened runs on the machine of this extension. */
  readonly isBrowserHere: boolean
  readonly clock: Clock
  readonly log: Log
  /** Called once after somebody signed in. */
  readonly onSignedIn: () => void
  readonly openDashboard: OpenDashboard
}

/**
 * One sign-in at a time, drawn in three places at once: here the notification, elsewhere the status bar and the chat
 * page, which listen. Whatever the user closes or misses, the state goes on and ends in a sentence.
 */
export class SignInView implements Disposable {
  readonly #options: SignInOptions
  readonly #changed = new Emitter<SignInState>()
  #state: SignInState = { is: 'idle' }
  #attempt: ReturnType<typeof linkedAbort> | undefined
  /** The attempt under way, or the last one, to its end. */
  #running: Promise<void> = Promise.resolve()
  #ceremony: DeviceFlow | undefined
  #isDisposed = false
  /** The user was asked for an address in place of the one in the settings, and none has led to a service yet. */
  #isAddressOpen = false
  /** Another window has signed in while this attempt was under way. */
  #isOvertaken = false
  readonly #listening: Disposable
  /** What the user agreed to in this attempt. */
  #agreed: LastSignIn | undefined
  /** What the user agreed to for an attempt that was cut off or ran out, as long as nothing else was begun since. */
  #resumable: LastSignIn | undefined
  /** Where the user approves in the browser, while that is waited for. */
  #page: string | undefined
  /** What ended attempts have left is being taken away. */
  #tidying: Promise<void> = Promise.resolve()
  readonly #finder: ServiceFinder
  readonly #keys: IssuedKeys

  constructor(options: SignInOptions) {
    this.#options = options
    this.#finder = new ServiceFinder(options)
    this.#keys = new IssuedKeys(options)
    this.#listening = options.account.onDidChange(state => this.#followOthers(state))
  }

  readonly onDidChange: Event<SignInState> = this.#changed.event

  get state(): SignInState {
    return this.#state
  }

  /** The name to show before anybody has signed in. */
  get serviceName(): string {
    const { account, settings } = this.#options
    if (account.state.is === 'in' || account.state.is === 'refused') return sanitize(account.state.account.service)
    return sanitize(this.#finder.known?.name ?? settings.service?.host ?? 'Kourier')
  }

  get canUseBrowser(): boolean {
    return this.#finder.canUseBrowser
  }

  /**
   * Sign In, from whichever button. While one sign-in is under way, another only brings it into sight, and ends with it.
   */
  signIn({ asksAddress = false } = {}): Promise<void> {
    return this.#run('sign-in', async signal => {
      const service = await this.#findService(signal, asksAddress)
      if (!service || (await this.#isSignedIn(signal))) return
      await this.#signInByCode(service, () => this.#agreedEmail(service, signal), signal)
    })
  }

  /**
   * Goes on where a sign-in was cut off or ran out: the same email, to which the user has agreed, and a registration of
   * its own. After any other end the user is asked as ever; other extensions can call this too.
   */
  resume(): Promise<void> {
    const last = this.#resumable
    return this.#run('sign-in', async signal => {
      const service = await this.#findService(signal)
      if (!service || (await this.#isSignedIn(signal))) return
      // The user agreed to this email for these two addresses, and to no others.
      const isAgreed = last?.issuer === service.issuer && last.resource === service.resource
      await this.#signInByCode(service, async () => (isAgreed ? last : this.#agreedEmail(service, signal)), signal)
    })
  }

  /** Says that the last window went away in the middle of a sign-in, and offers to go on. */
  async offerToResume(): Promise<void> {
    const { memory, account, openDashboard } = this.#options
    const cutOff = await memory.cutOff()
    // An editor may write a moment late that the sign-in has ended. Where its key was stored, it was not cut off.
    if (!cutOff || account.wasStored(cutOff.attempt)) return
    const { last } = cutOff
    if (!this.#attempt && cutOff.replaces) account.stayRefused(cutOff.replaces)
    if (!this.#attempt && wantsKey(account.state)) {
      this.#resumable = last
      return this.#end(cutOffEnding(cutOff))
    }
    const chosen = await window.showInformationMessage(cutOffElsewhere, 'Open Dashboard')
    if (chosen) openDashboard(last?.issuer)
  }

  /** Sign In with the Browser: authorization code with PKCE. */
  signInWithBrowser(): Promise<void> {
    return this.#run('sign-in-with-browser', async signal => {
      const { http, settings, clock, log, memory, machine } = this.#options
      const service = await this.#findService(signal)
      if (!service || (await this.#isSignedIn(signal))) return
      if (!this.#finder.offersBrowser(service)) throw new SignInError('not offered')
      const name = sanitize(service.name)
      const host = new URL(service.issuer).host
      const text = `Waiting for your approval in the browser, at ${host}`
      this.#move({ is: 'working', service: name, text })
      const onAnswered = () => {
        this.#page = undefined
        this.#move({ is: 'working', service: name, text: 'Fetching the key' })
      }
      const open = (url: string) => {
        this.#page = url
        return openExactly(url)
      }
      const id = crypto.randomUUID()
      const giveBack = (key: string) => this.#keys.giveBack(credentialOf(service, { key, origin: 'browser', id }))
      const onAsked = (answer: Promise<unknown>) => this.#keys.note(answer)
      const onLost = () => this.#keys.sayLost(name)
      const clientId = settings.get('clientId')
      const { listen } = machine
      const options = { http, service, clientId, clock, log, listen, open, onAnswered, giveBack, onAsked, onLost }
      try {
        await raceAbort(memory.beginInBrowser(id, this.#refused), signal)
        const fetched = signInWithBrowser(options, signal)
        const said = () => {
          return this.#state.is === 'working' ? browserTitle(this.#state.text, this.#page !== undefined) : ''
        }
        void showWhile({ title: `Sign in to ${name}`, text: said, onCancel: () => this.cancel(), until: fetched })
        await this.#accept(service, { key: await fetched, origin: 'browser', id })
      } finally {
        this.#tidyUp(true)
      }
    })
  }

  /** Use an API Key: one made on the dashboard, checked before it is stored. */
  useApiKey(): Promise<void> {
    return this.#run('use-key', async signal => {
      const { http, clock, log } = this.#options
      const service = await this.#findService(signal)
      if (service && (await this.#isSignedIn(signal))) return
      if (service) this.#move({ is: 'working', service: sanitize(service.name), text: 'Waiting for your key' })
      const key = service && (await askKey(service, signal))
      if (!key) return
      log.redactor.register(key)
      this.#move({ is: 'working', service: sanitize(service.name), text: 'Checking the key' })
      if (await isKeyAccepted(http, service, key, clock, signal))
        return this.#accept(service, { key, origin: 'pasted' })
      const refusal = `${sanitize(service.name)} does not accept this key. Check it on the dashboard under API Keys.`
      this.#end(notice(refusal, 'use-key'))
    })
  }

  /** Whoever goes on with a key that works has no more use for how the last sign-in ended. */
  dropNotice(): void {
    if (this.#state.is === 'idle' && this.#state.notice) this.#move({ is: 'idle' })
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
    const page = this.#state.is === 'code' ? this.#state.step.code.uri : this.#page
    if (page) await openExactly(page)
  }

  #run(way: SignInMethod, attempt: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#attempt) runCommand('kourier.openChat')
    else this.#running = this.#runToEnd(way, attempt)
    return this.#running
  }

  /** One attempt from its first question to its last sentence. */
  async #runToEnd(way: SignInMethod, attempt: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = linkedAbort()
    this.#attempt = stop
    this.#isOvertaken = false
    this.#isAddressOpen = false
    this.#agreed = undefined
    this.#resumable = undefined
    try {
      if (await wantsSignInHere(this.#options.account, this.serviceName)) await attempt(stop.signal)
      if (this.#state.is !== 'idle') this.#move({ is: 'idle' })
    } catch (fault) {
      if (!isAbort(fault)) this.#options.log.error('The sign-in ended', fault)
      if (this.#isDisposed) return
      if (fault instanceof SignInError && fault.reason === 'run out') this.#resumable = this.#agreed
      if (isAbort(fault)) this.#endCancelled(way)
      else this.#endFailed(fault, way)
    } finally {
      stop.unlink()
      this.#attempt = undefined
      this.#ceremony = undefined
      this.#page = undefined
    }
    await this.#tidying
  }

  /** One key is enough: what another window did ends the attempt of this one. */
  #followOthers(state: AccountState): void {
    const isIn = state.is === 'in' && state.account.origin !== 'environment'
    if (isIn) this.#resumable = undefined
    // What ended before is not about the key that is in use now, nor about its end.
    if (state.is === 'in' || state.is === 'refused') this.dropNotice()
    const isElsewhere = isIn || (state.is === 'out' && state.why === 'elsewhere')
    if (!this.#attempt || this.#keys.isKeeping || !isElsewhere) return
    this.#isOvertaken = true
    this.#attempt.stop()
  }

  /** A change of the address may have brought the key of that service back. */
  async #isSignedIn(signal: AbortSignal): Promise<boolean> {
    const { account } = this.#options
    await raceAbort(account.restore(), signal)
    if (account.state.is !== 'in' || account.state.account.origin === 'environment') return false
    void window.showInformationMessage(`You are signed in to ${sanitize(account.state.account.service)}.`)
    return true
  }

  /** The same sentence in the notification and in the chat page. */
  #end(ended: Notice): void {
    this.#move({ is: 'idle', notice: ended })
    void showNotice(ended)
  }

  #endCancelled(way: SignInMethod): void {
    const service = this.#ceremony?.mayHaveLostKey ? this.#serviceInHand : undefined
    if (service && this.#isOvertaken) this.#keys.sayLost(service)
    if (this.#isOvertaken) return this.#endOvertaken()
    if (service) return this.#endFailed(new SignInError('lost'), way)
    const ended = cancelledEnding(way)
    this.#move({ is: 'idle', notice: ended })
    void showNotice(ended, { isFault: false })
  }

  /** Where this window cannot see the key yet, an offer to reload it says what happened. */
  #endOvertaken(): void {
    const ended = overtakenEnding(this.#options.account)
    if (ended?.action) return this.#end(ended)
    this.#move({ is: 'idle' })
    if (ended) void window.showInformationMessage(ended.text)
  }

  #endFailed(fault: unknown, way: SignInMethod): void {
    const ended = faultEnding(fault, {
      way,
      service: this.#serviceInHand,
      otherWay: otherWay(way, this.#finder.known, this.canUseBrowser),
      isResumable: this.#resumable !== undefined,
      isAddressOpen: this.#isAddressOpen,
      redact: text => this.#options.log.redactor.redact(text),
    })
    this.#end(ended)
  }

  /** The sign-in whose key the service has refused; one of the environment is the user's to replace. */
  get #refused(): string | undefined {
    const { state, signInId } = this.#options.account
    return state.is === 'refused' && state.account.origin !== 'environment' ? signInId : undefined
  }

  get #serviceInHand(): string {
    return this.#state.is === 'idle' ? this.serviceName : this.#state.service
  }

  async #findService(signal: AbortSignal, asksAddress = false): Promise<Service | undefined> {
    const onLooking = (host: string, text: string) => this.#move({ is: 'working', service: host, text })
    this.#isAddressOpen = asksAddress
    const service = await this.#finder.find({ signal, asksAddress, onLooking, onCancel: () => this.cancel() })
    this.#isAddressOpen = false
    if (service && this.#state.is === 'working') this.#move({ ...this.#state, service: sanitize(service.name) })
    return service
  }

  /** The email that the user agreed to send. Nothing that carries it has been sent before this returns. */
  async #agreedEmail(service: Service, signal: AbortSignal): Promise<LastSignIn | undefined> {
    const { http, clock, memory, machine } = this.#options
    const { issuer, resource, name } = service
    const tell = (text: string) => this.#move({ is: 'working', service: sanitize(name), text })
    const say = (what: 'email' | 'consent') => tell(`Waiting for your ${what}`)
    tell('Looking for your email')
    const search = findEmails({
      mayReadWorkspace: workspace.isTrusted,
      githubEmail: token => githubEmail(http, token, clock, signal),
      gitEmail: machine.gitEmail,
      lastUsed: async () => (await memory.last())?.email,
    })
    const found = await raceAbort(search, signal)
    say('email')
    const email = await askAgreedEmail(found, service, say, signal)
    return email === undefined ? undefined : { email, issuer, resource, service: name }
  }

  async #signInByCode(
    service: Service,
    ask: () => Promise<LastSignIn | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const { http, clock, log, memory, machine } = this.#options
    const id = crypto.randomUUID()
    const tag = newTag()
    const name = sanitize(service.name)
    const agree = async () => {
      const agreed = await ask()
      if (!agreed) return undefined
      this.#agreed = agreed
      // What outlives this window if it goes away before the sign-in has ended.
      this.#move({ is: 'working', service: name, text: 'Registering' })
      await raceAbort(memory.begin(agreed, id, this.#refused), signal)
      return agreed.email
    }
    const bring = (key: string, email?: string) => credentialOf(service, { key, email, origin: 'registration', id })
    const ceremony = new DeviceFlow({
      http,
      service,
      agree,
      store: (key, email) => this.#keep(bring(key, email)),
      giveBack: key => this.#keys.giveBack(bring(key)),
      onLost: () => this.#keys.sayLost(name),
      onSecond: () => this.#keys.saySecond(name),
      onAsked: answer => this.#keys.note(answer),
      clientName: clientName(machine.name, tag),
      clock,
      log,
    })
    this.#ceremony = ceremony
    const shown = Promise.withResolvers<void>()
    const listening = ceremony.onDidChange(step => {
      if ('code' in step) return this.#move({ is: 'code', service: name, tag, step })
      if (step.is === 'registering') {
        this.#move({ is: 'working', service: name, text: 'Registering' })
        void this.#showCode(name, shown.promise)
      } else shown.resolve()
      if (step.is === 'storing') this.#move({ is: 'working', service: name, text: 'Keeping the key' })
    })
    let isKept = false
    try {
      const done = await ceremony.run(signal)
      isKept = done !== undefined
      if (done) this.#welcome(service, done.email)
      else this.#move({ is: 'idle', notice: notice('No sign-in was begun; your email was not sent.', 'sign-in') })
    } finally {
      listening.dispose()
      shown.resolve()
      // Where another window has signed in, nothing is written: some secret storages would write over its key.
      this.#tidyUp(isKept || this.#isOvertaken)
    }
  }

  /** A window that goes away leaves the note for the next one. The last sentence waits for no keyring. */
  #tidyUp(isKept: boolean): void {
    if (!this.#isDisposed) this.#tidying = this.#options.memory.end(isKept)
  }

  #showCode(title: string, until: Promise<void>): Promise<void> {
    const text = () => {
      if (this.#state.is === 'code') return codeTitle(this.#state.step, this.#state.tag, this.#options.clock)
      return this.#state.is === 'working' ? workingTitle(this.#state.text) : ''
    }
    return showWhile({ title, text, onCancel: () => this.cancel(), until })
  }

  async #accept(service: Service, got: Got): Promise<void> {
    await this.#keep(credentialOf(service, got))
    this.#welcome(service, got.email)
  }

  #welcome(service: Service, email?: string): void {
    this.#move({ is: 'idle' })
    // The service does not say which plan the key uses; the dashboard does.
    const text = `${signedInText({ service: service.name, email })} ${REVOKE_TEXT}`
    void inform(text, 'Open Chat', () => runCommand('kourier.openChat'))
    this.#options.onSignedIn()
  }

  /** Throws a stop when another window was faster. */
  async #keep(credential: Credential): Promise<void> {
    if ((await this.#keys.keep(credential, this.#isOvertaken)) === 'kept') return
    this.#isOvertaken = true
    throw new AbortedError()
  }

  /** Ends what is under way. Resolves when no key is on its way any more, to or from the service. */
  async end(): Promise<void> {
    this.dispose()
    await this.#keys.settled()
  }

  #move(state: SignInState): void {
    this.#state = state
    this.#changed.fire(state)
  }

  dispose(): void {
    this.#isDisposed = true
    this.cancel()
    this.#keys.dispose()
    this.#listening.dispose()
    this.#changed.dispose()
  }
}

/** Somebody who was signing in still wants to: with the key of the environment, or a refused one, nobody is signed in. */
function wantsKey(state: AccountState): boolean {
  if (state.is === 'in') return state.account.origin === 'environment'
  return state.is === 'refused' || (state.is === 'out' && state.why !== 'elsewhere')
}
