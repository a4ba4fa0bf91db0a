// `SignInAttempt`: one attempt to sign in: runs its method from the search for the service to the stored key or another ending.

import { AbortedError, isAbort, linkedAbort, raceAbort, throwIfAborted } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { LastSignIn } from '../../protocol/stored.ts'
import { Credential, type CredentialFacts } from '../http/credential.ts'
import type { Http } from '../http/http.ts'
import type { Log } from '../log/log.ts'
import type { Account } from './account.ts'
import { clientName, newTag } from './clientName.ts'
import type { CodeStep } from './codeStep.ts'
import type { DeviceFlow, DeviceFlowStep } from './deviceFlow.ts'
import type { Service } from './discovery.ts'
import type { IssuedKeys } from './issuedKeys.ts'
import type { KnownServers } from './knownServers.ts'
import type { Machine } from './machine.ts'
import type { ServiceFinder } from './serviceFinder.ts'
import { SignInError } from './signInError.ts'
import type { SignInMemory } from './signInMemory.ts'
import {
  type AddressSource,
  type AttemptState,
  nextState,
  type SignInEnding,
  type SignInEvent,
  type SignInMethod,
  type SignInStep,
} from './signInState.ts'
import type { SignInSettings, SignInUi } from './signInUi.ts'

export interface SignInOptions {
  /** The one without a credential. */
  readonly http: Http
  readonly account: Account
  readonly settings: SignInSettings
  readonly memory: SignInMemory
  readonly machine: Pick<Machine, 'name' | 'listen'>
  readonly ui: SignInUi
  readonly knownServers: KnownServers
  /** A browser that is opened runs on the machine of this extension. */
  readonly isBrowserHere: boolean
  readonly clock: Clock
  readonly log: Log
}

/** What all attempts of a window share. */
export interface AttemptOptions extends SignInOptions {
  readonly finder: ServiceFinder
  readonly keys: IssuedKeys
  /** The state is another one. */
  readonly onDidMove: () => void
}

/** What is asked for: the method, and what the user has decided before. */
export interface AttemptOrder {
  readonly method: SignInMethod
  readonly address?: AddressSource
  /** The user has agreed to this email for these two addresses, and to no others. */
  readonly agreed?: LastSignIn | undefined
}

export class SignInAttempt {
  readonly #options: AttemptOptions
  readonly #order: AttemptOrder
  /** Names this sign-in among windows; the id of the key that it brings. */
  readonly #id = crypto.randomUUID()
  readonly #stop = linkedAbort()
  #state: AttemptState
  #flow: DeviceFlow | undefined
  #memoryCleared: Promise<void> = Promise.resolve()
  /** That the user wants a key here as well holds for this attempt. */
  #acknowledgement: Disposable | undefined

  constructor(options: AttemptOptions, order: AttemptOrder) {
    this.#options = options
    this.#order = order
    this.#state = { is: 'asking about another window' }
  }

  get state(): AttemptState {
    return this.#state
  }

  /** Resolves when the attempt has ended and its record has been deleted. */
  async run(): Promise<void> {
    try {
      this.#dispatch({ is: 'finished', ending: await this.#work() })
    } catch (fault) {
      if (!isAbort(fault)) this.#options.log.error('The sign-in ended', fault)
      this.#dispatch(isAbort(fault) ? { is: 'cancelled', lostKey: 'none' } : { is: 'failed', fault })
    }
    await this.#memoryCleared
  }

  cancel(): void {
    this.#dispatch({ is: 'cancelled', lostKey: this.#flow?.mayHaveLostKey ? 'possible' : 'none' })
  }

  /** One key is enough: another window has signed in. */
  overtake(): void {
    const { state } = this
    this.#dispatch({ is: 'overtaken' })
    if (this.#state !== state && 'service' in state && this.#flow?.mayHaveLostKey)
      this.#options.keys.report({ is: 'key lost', service: state.service.name })
  }

  closeWindow(): void {
    this.#dispatch({ is: 'window closed' })
  }

  /** The user asks for a new code. */
  renew(): void {
    this.#flow?.renew()
  }

  async #work(): Promise<SignInEnding> {
    if (!(await this.#mayBeginHere())) return { why: 'closed' }
    const { address = 'settings', method } = this.#order
    const service = await this.#options.finder.find(address, step => this.#go(step), this.#signal)
    if (!service) return { why: 'closed' }
    this.#go({ is: 'looking for a key', service })
    const before = await this.#serviceOfStoredKey()
    if (before !== undefined) return { why: 'signed in before', service: before }
    switch (method) {
      case 'code':
        return this.#signInByCode(service)
      case 'browser':
        return this.#signInWithBrowser(service)
      case 'pasted key':
        return this.#useKey(service)
    }
  }

  /** Signing in here as well makes a second key, and in one browser takes the place of the first. */
  async #mayBeginHere(): Promise<boolean> {
    const { account, ui } = this.#options
    // The sign-in of the other window may be over by now.
    if (account.unread.length > 0) await raceAbort(account.restore(), this.#signal)
    const [place] = account.unread
    if (place === undefined) return true
    if (!(await raceAbort(ui.wantsSignInHere(place), this.#signal))) return false
    this.#acknowledgement = account.acknowledgeUnread()
    return true
  }

  /** A change of the address may have brought the key of that service back. */
  async #serviceOfStoredKey(): Promise<string | undefined> {
    const { account } = this.#options
    await raceAbort(account.restore(), this.#signal)
    const { state } = account
    return state.is === 'in' && state.account.origin !== 'environment' ? state.account.service : undefined
  }

  async #signInByCode(service: Service): Promise<SignInEnding> {
    const { http, clock, log, keys, machine } = this.#options
    const { DeviceFlow } = await raceAbort(import('./deviceFlow.ts'), this.#signal)
    const tag = newTag()
    const bring = (key: string, email?: string) => this.#credentialOf(service, key, { email, origin: 'registration' })
    const flow = new DeviceFlow({
      http,
      service,
      agree: () => this.#agree(service),
      store: (key, email) => this.#keep(service, bring(key, email)),
      revoke: key => keys.revokeLate(bring(key)),
      onKeyLost: () => keys.report({ is: 'key lost', service: service.name }),
      onSecondKey: () => keys.report({ is: 'key before lost', service: service.name }),
      onTokenRequest: answer => void keys.track(answer),
      clientName: clientName(machine.name, tag),
      clock,
      log,
    })
    this.#flow = flow
    const listening = flow.onDidChange(step => this.#showCode(step, tag))
    try {
      const done = await flow.run(this.#signal)
      return done ? { why: 'signed in', service: service.name, email: done.email } : { why: 'not agreed' }
    } finally {
      listening.dispose()
    }
  }

  #showCode(step: DeviceFlowStep, tag: string): void {
    const state = this.#state
    if (isCode(step) && 'agreed' in state) this.#go({ ...state, is: 'code', tag, step })
  }

  /** The email that the user agreed to send. Nothing that carries it has been sent before this resolves. */
  async #agree(service: Service): Promise<string | undefined> {
    const agreed = this.#agreedBefore(service) ?? (await this.#askForEmail(service))
    if (!agreed) return undefined
    this.#go({ is: 'registering', service, agreed })
    // Recorded in case this window closes before the sign-in has ended.
    await raceAbort(this.#options.memory.begin(agreed, this.#id, this.#refused), this.#signal)
    return agreed.email
  }

  #agreedBefore({ issuer, resource }: Service): LastSignIn | undefined {
    const { agreed } = this.#order
    return agreed?.issuer === issuer && agreed.resource === resource ? agreed : undefined
  }

  async #askForEmail(service: Service): Promise<LastSignIn | undefined> {
    const { ui } = this.#options
    this.#go({ is: 'looking for email', service })
    const found = await this.#findEmails()
    for (;;) {
      this.#go({ is: 'waiting for email', service })
      const email = await raceAbort(ui.askEmail(found, service, this.#signal), this.#signal)
      if (!email) return undefined
      this.#go({ is: 'waiting for consent', service })
      const consent = await raceAbort(ui.askConsent(service, email), this.#signal)
      const { issuer, resource, name } = service
      if (consent === 'continue') return { email, issuer, resource, service: name }
      if (consent === 'stop') return undefined
    }
  }

  #findEmails() {
    const { ui, http, clock, memory } = this.#options
    const search = {
      lastUsed: async () => (await memory.last())?.email,
      githubEmail: async (token: string) => {
        const { githubEmail } = await import('./githubEmail.ts')
        return githubEmail(http, token, clock, this.#signal)
      },
    }
    return raceAbort(ui.findEmails(search), this.#signal)
  }

  async #signInWithBrowser(service: Service): Promise<SignInEnding> {
    const { http, settings, clock, log, memory, machine, ui, keys, finder } = this.#options
    if (!finder.offersBrowser(service)) throw new SignInError('not offered')
    this.#go({ is: 'browser', service, page: undefined })
    await raceAbort(memory.beginInBrowser(this.#id, this.#refused), this.#signal)
    const bring = (key: string) => this.#credentialOf(service, key, { origin: 'browser' })
    const { signInWithBrowser } = await raceAbort(import('./browserSignIn.ts'), this.#signal)
    const fetched = signInWithBrowser(
      {
        http,
        service,
        clientId: settings.get('clientId'),
        clock,
        log,
        listen: machine.listen,
        open: page => {
          this.#go({ is: 'browser', service, page })
          return ui.openPage(page)
        },
        onAnswered: () => this.#go({ is: 'fetching the key', service }),
        revoke: key => keys.revokeLate(bring(key)),
        onTokenRequest: answer => void keys.track(answer),
        onKeyLost: () => keys.report({ is: 'key lost', service: service.name }),
      },
      this.#signal,
    )
    await this.#keep(service, bring(await fetched))
    return { why: 'signed in', service: service.name, email: undefined }
  }

  async #useKey(service: Service): Promise<SignInEnding> {
    const { http, clock, ui } = this.#options
    this.#go({ is: 'waiting for a key', service })
    const key = await raceAbort(ui.askKey(service, this.#signal), this.#signal)
    if (!key) return { why: 'closed' }
    const credential = this.#credentialOf(service, key, { origin: 'pasted' })
    this.#go({ is: 'checking the key', service })
    const { isKeyAccepted } = await raceAbort(import('./keyCheck.ts'), this.#signal)
    if (!(await isKeyAccepted(http, service, credential, clock, this.#signal)))
      return { why: 'key refused', service: service.name }
    await this.#keep(service, credential)
    return { why: 'signed in', service: service.name, email: undefined }
  }

  /** From here on the store decides. Throws the abort reason where the key is not stored. */
  async #keep(service: Service, credential: Credential): Promise<void> {
    const { keys } = this.#options
    this.#dispatch({ is: 'stepped', to: { is: 'keeping the key', service } })
    if (this.#state.is === 'ended') await this.#discard(credential, this.#state.ending)
    else if ((await keys.keep(credential)) === 'overtaken')
      this.#dispatch({ is: 'finished', ending: { why: 'overtaken' } })
    throwIfAborted(this.#signal)
  }

  /** For a key that arrived while the attempt ended. */
  async #discard(credential: Credential, { why }: SignInEnding): Promise<void> {
    const { keys } = this.#options
    if (why === 'overtaken') await keys.discard(credential)
    else if (credential.origin !== 'pasted') keys.revokeLate(credential)
  }

  #credentialOf(service: Service, text: string, got: Pick<CredentialFacts, 'email' | 'origin'>): Credential {
    const { name, resource, issuer, revocationEndpoint } = service
    const id = got.origin === 'pasted' ? undefined : this.#id
    const facts = { resource, issuer, revocationEndpoint, service: name, id, ...got }
    return new Credential(text, facts, this.#options.log.redactor)
  }

  /** The sign-in whose key the service has refused; one of the environment is the user's to replace. */
  get #refused(): string | undefined {
    const { state, signInId } = this.#options.account
    return state.is === 'refused' && state.account.origin !== 'environment' ? signInId : undefined
  }

  get #signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Throws the abort reason where the attempt has ended meanwhile. */
  #go(to: SignInStep): void {
    this.#dispatch({ is: 'stepped', to })
    throwIfAborted(this.#signal)
  }

  #dispatch(event: SignInEvent): void {
    const next = nextState(this.#state, event, this.#order.method)
    if (next === this.#state) return
    this.#state = next
    if (next.is === 'ended') this.#end(next.ending)
    this.#options.onDidMove()
  }

  /** When the window closes, its record stays for the next one. */
  #end({ why }: SignInEnding): void {
    this.#stop.stop(new AbortedError())
    // Where another window has signed in, nothing is written: some storages would write over its key.
    const isEmailKept = why === 'signed in' || why === 'overtaken'
    if (why !== 'window closed') this.#memoryCleared = this.#options.memory.end(isEmailKept)
    if (why !== 'signed in') this.#forgetAcknowledgement()
  }

  /** The storage still holds the key of the other window, and this one has none. */
  #forgetAcknowledgement(): void {
    if (!this.#acknowledgement) return
    this.#acknowledgement.dispose()
    this.#acknowledgement = undefined
    void this.#options.account.restore()
  }
}

function isCode(step: DeviceFlowStep): step is CodeStep {
  return 'code' in step
}
