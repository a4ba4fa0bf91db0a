// Owns signing in, in one window: one attempt at a time, and what the last one ended with.
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { AccountState } from './account.ts'
import { IssuedKeys, type KeyReport } from './issuedKeys.ts'
import { ServiceFinder } from './serviceFinder.ts'
import { type AttemptOrder, SignInAttempt, type SignInOptions } from './signInAttempt.ts'
import type { CutOff } from './signInMemory.ts'
import type { EndedState, IdleState, SignInMethod, SignInState } from './signInState.ts'

export class SignIn implements Disposable {
  readonly #options: SignInOptions
  readonly #changed = new Emitter<SignInState>()
  readonly #ended = new Emitter<EndedState>()
  readonly #cutOff = new Emitter<CutOff>()
  readonly #finder: ServiceFinder
  readonly #keys: IssuedKeys
  readonly #listening: Disposable
  #state: SignInState = { is: 'idle' }
  /** The attempt under way. */
  #attempt: SignInAttempt | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: SignInOptions) {
    this.#options = options
    this.#finder = new ServiceFinder(options)
    this.#keys = new IssuedKeys(options.account, options.log)
    this.#listening = options.account.onDidChange(state => this.#follow(state))
  }

  readonly onDidChange: Event<SignInState> = this.#changed.event

  /** An attempt has ended, once for each; also one of a window before this one. */
  readonly onDidEnd: Event<EndedState> = this.#ended.event

  /** What the user has to know of a key beside how the attempt ended. */
  get onDidReport(): Event<KeyReport> {
    return this.#keys.onDidReport
  }

  /** A sign-in was cut off with its window, while the user of this one is signed in or signing in. */
  readonly onDidFindCutOff: Event<CutOff> = this.#cutOff.event

  get state(): SignInState {
    return this.#state
  }

  /** The name to show before anybody has signed in, as the service or the address spells it; undefined without either. */
  get serviceName(): string | undefined {
    const { account, settings } = this.#options
    if (account.state.is === 'in' || account.state.is === 'refused') return account.state.account.service
    return this.#finder.known?.name ?? settings.service?.host
  }

  get canUseBrowser(): boolean {
    return this.#finder.canUseBrowser
  }

  /** Where `method` does not lead on: the next best of the methods that the service offers. */
  otherMethod(method: SignInMethod): SignInMethod {
    const { known, canUseBrowser } = this.#finder
    if (method === 'browser') return known?.isRegistrationOffered === false ? 'pasted key' : 'code'
    return method === 'code' && known?.browser && canUseBrowser ? 'browser' : 'pasted key'
  }

  /** By a code. While a sign-in is under way, another only brings it into sight, and ends with it. */
  signIn({ asksAddress = false } = {}): Promise<void> {
    return this.#begin({ method: 'code', address: asksAddress ? 'named' : 'settings' })
  }

  /**
   * Goes on where a sign-in was cut off or ran out: the same email, to which the user has agreed, and a registration of
   * its own. After any other end the user is asked as ever; other extensions can call this too.
   */
  resume(): Promise<void> {
    const agreed = 'resumable' in this.#state ? this.#state.resumable : undefined
    return this.#begin({ method: 'code', agreed })
  }

  /** Authorization code with PKCE. */
  signInWithBrowser(): Promise<void> {
    return this.#begin({ method: 'browser' })
  }

  /** With a key made on the dashboard, which is checked before it is stored. */
  useApiKey(): Promise<void> {
    return this.#begin({ method: 'pasted key' })
  }

  /** Reports that the last window went away in the middle of a sign-in, and lets `resume` go on with it. */
  async offerToResume(): Promise<void> {
    const { memory, account } = this.#options
    const cutOff = await memory.cutOff()
    // An editor may write a moment late that the sign-in has ended. Where its key was stored, it was not cut off.
    if (!cutOff || account.wasStored(cutOff.attempt)) return
    if (!this.#attempt && cutOff.replaces) account.stayRefused(cutOff.replaces)
    if (this.#attempt || !needsKey(account.state)) return this.#cutOff.fire(cutOff)
    const method = cutOff.way === 'browser' ? 'browser' : 'code'
    const { last } = cutOff
    this.#end({ is: 'ended', method, ending: { why: 'cut off', cutOff }, ...(last && { resumable: last }) })
  }

  /** How the last sign-in ended is of no use any more: the user goes on with a key that works. */
  dropNotice(): void {
    if (this.#state.is === 'ended') this.#rest('resumable')
  }

  cancel(): void {
    this.#attempt?.cancel()
  }

  renew(): void {
    this.#attempt?.renew()
  }

  async copyCode(): Promise<void> {
    if (this.#state.is === 'code') await this.#options.ui.copy(this.#state.step.code.text)
  }

  async openBrowser(): Promise<void> {
    const page = pageOf(this.#state)
    if (page) await this.#options.ui.openPage(page)
  }

  #begin(order: AttemptOrder): Promise<void> {
    if (this.#attempt) this.#options.ui.show()
    else this.#running = this.#run(order)
    return this.#running
  }

  #run(order: AttemptOrder): Promise<void> {
    const shared = { ...this.#options, keys: this.#keys, finder: this.#finder }
    const attempt = new SignInAttempt({ ...shared, onDidMove: () => this.#followAttempt(attempt) }, order)
    this.#attempt = attempt
    this.#move(attempt.state)
    return attempt.run()
  }

  #followAttempt(attempt: SignInAttempt): void {
    if (attempt.state.is !== 'ended') return this.#move(attempt.state)
    this.#attempt = undefined
    this.#end(attempt.state)
  }

  /** What another window did ends the attempt of this one. */
  #follow(state: AccountState): void {
    const isIn = state.is === 'in' && state.account.origin !== 'environment'
    const isElsewhere = isIn || (state.is === 'out' && state.why === 'elsewhere')
    if (this.#attempt) return isElsewhere ? this.#attempt.overtake() : undefined
    // What ended before is not about the key that is in use now, nor about its end.
    if (state.is === 'in' || state.is === 'refused') this.#rest(isIn ? 'nothing' : 'resumable')
  }

  /** `keeping`: what stays of the attempt that ended. */
  #rest(keeping: 'resumable' | 'nothing'): void {
    const before = this.#state.is === 'idle' || this.#state.is === 'ended' ? this.#state.resumable : undefined
    const resumable = keeping === 'resumable' ? before : undefined
    if (this.#state.is === 'idle' && resumable === before) return
    const idle: IdleState = { is: 'idle', ...(resumable && { resumable }) }
    this.#move(idle)
  }

  #end(state: EndedState): void {
    this.#move(state)
    this.#ended.fire(state)
  }

  #move(state: SignInState): void {
    this.#state = state
    this.#changed.fire(state)
  }

  /** Ends what is under way. Resolves when no key is on its way any more, to or from the service. */
  async end(): Promise<void> {
    this.dispose()
    await this.#keys.settled()
  }

  dispose(): void {
    this.#attempt?.closeWindow()
    this.#listening.dispose()
    this.#keys.dispose()
    this.#ended.dispose()
    this.#cutOff.dispose()
    this.#changed.dispose()
  }
}

/** Where the user approves, while that is waited for. */
function pageOf(state: SignInState): string | undefined {
  if (state.is === 'code') return state.step.code.uri
  return state.is === 'browser' ? state.page : undefined
}

/** A user who was signing in still wants to: with the key of the environment, or a refused one, nobody is signed in. */
function needsKey(state: AccountState): boolean {
  if (state.is === 'in') return state.account.origin === 'environment'
  return state.is === 'refused' || (state.is === 'out' && state.why !== 'elsewhere')
}
