// SignIn: the owner of the sign-in state of a window, with one attempt at a time.
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

  /** Fires once for each attempt that has ended, also for one of an earlier window. */
  readonly onDidEnd: Event<EndedState> = this.#ended.event

  /** What the user has to know about a key, in addition to how the attempt ended. */
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

  /** The method to offer where `method` failed: the best of the others that the service offers. */
  otherMethod(method: SignInMethod): SignInMethod {
    const { known, canUseBrowser } = this.#finder
    if (method === 'browser') return known?.isRegistrationOffered === false ? 'pasted key' : 'code'
    return method === 'code' && known?.browser && canUseBrowser ? 'browser' : 'pasted key'
  }

  /** Signs in with a code. While a sign-in is under way it only reveals that one, and resolves with its end. */
  signIn({ asksAddress = false } = {}): Promise<void> {
    return this.#begin({ method: 'code', address: asksAddress ? 'named' : 'settings' })
  }

  /**
   * Begins again after a sign-in was cut off or ran out: with a new registration for the same email, which the user has
   * agreed to send. After any other end the user is asked again, because other extensions can run this command too.
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

  /** Reports that an earlier window closed while a sign-in was under way, and lets `resume` use its email. */
  async offerToResume(): Promise<void> {
    const { memory, account } = this.#options
    const cutOff = await memory.cutOff()
    // The record of a sign-in that has ended may be deleted late. If its key was stored, it was not cut off.
    if (!cutOff || account.wasStored(cutOff.attempt)) return
    if (!this.#attempt && cutOff.replaces) account.stayRefused(cutOff.replaces)
    // An attempt of this window that has ended meanwhile is what the user wants to know of.
    if (this.#attempt || this.#state.is === 'ended' || !needsKey(account.state)) return this.#cutOff.fire(cutOff)
    const method = cutOff.way === 'browser' ? 'browser' : 'code'
    const { last } = cutOff
    this.#end({ is: 'ended', method, ending: { why: 'cut off', cutOff }, ...(last && { resumable: last }) })
  }

  /** Removes the notice about the last sign-in, because the user goes on with a key that works. */
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
    // The notice of an earlier attempt is not about the key that is in use now.
    if (state.is === 'in' || state.is === 'refused') this.#rest(isIn ? 'nothing' : 'resumable')
  }

  /** `keeping`: what is kept of the attempt that ended. */
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

  /** Ends the attempt. Resolves when no request is under way any more that may receive or revoke a key. */
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

/** The address where the user approves, while the attempt waits for that. */
function pageOf(state: SignInState): string | undefined {
  if (state.is === 'code') return state.step.code.uri
  return state.is === 'browser' ? state.page : undefined
}

/** Whether a sign-in that was cut off is still wanted. An environment key or a refused key does not replace it. */
function needsKey(state: AccountState): boolean {
  if (state.is === 'in') return state.account.origin === 'environment'
  return state.is === 'refused' || (state.is === 'out' && state.why !== 'elsewhere')
}
