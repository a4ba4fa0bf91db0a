// A window that signs in, in plain Node: its service, its user and its keyring answer at once until one of them is held.
import assert from 'node:assert/strict'
import { type Disposable, onEnd } from '../../src/base/disposable.ts'
import { Account } from '../../src/core/account/account.ts'
import { type CredentialStore, MemoryCredentialStore } from '../../src/core/account/credentialStore.ts'
import type { KeyReport } from '../../src/core/account/issuedKeys.ts'
import type { Secrets } from '../../src/core/account/keyring.ts'
import { SecretCredentialStore } from '../../src/core/account/secretCredentialStore.ts'
import { SignIn } from '../../src/core/account/signIn.ts'
import { SignInMemory } from '../../src/core/account/signInMemory.ts'
import type { SignInState } from '../../src/core/account/signInState.ts'
import type { Consent, SignInUi } from '../../src/core/account/signInUi.ts'
import type { Credential } from '../../src/core/http/credential.ts'
import type { HttpRequest } from '../../src/core/http/http.ts'
import { Log } from '../../src/core/log/log.ts'
import type { AttemptRecord } from '../../src/protocol/stored.ts'
import type { AuthorizationAnswer } from '../../src/protocol/wire/authorization.ts'
import { FakeClock, settled } from './fakeClock.ts'
import { type Scripted, ScriptedHttp } from './scriptedHttp.ts'

export const api = 'https://api.example.com'
export const auth = 'https://auth.example.com'
export const key = 'sk-bf-0123456789'
export const email = 'ada@example.com'

const code = { user_code: '12345678', verification_uri: '/claim', expires_in: 600, interval: 5 }
const serverDocument = {
  issuer: auth,
  authorization_endpoint: `${auth}/oauth2/authorize`,
  code_challenge_methods_supported: ['S256'],
}

/** What the service is asked for, by the path of its address. */
const endpoints = {
  '/.well-known/oauth-protected-resource': 'api document',
  '/.well-known/oauth-authorization-server': 'server document',
  '/.well-known/openid-configuration': 'server document',
  '/agent/identity': 'registration',
  '/agent/identity/claim': 'new code',
  '/oauth2/token': 'token',
  '/oauth2/revoke': 'revocation',
  '/v1/models': 'models',
} as const
export type Endpoint = (typeof endpoints)[keyof typeof endpoints]

export const granted: Scripted = { body: { access_token: key, token_type: 'Bearer', scope: 'inference' } }

/** A question of the user interface, or a step of the keyring, that a test can answer itself. */
export type Waiting =
  | keyof Omit<SignInUi, 'copy' | 'show' | 'openPage'>
  | 'load'
  | 'save'
  | 'redirect'
  | `${'read' | 'write'} the ${'email' | 'key'}`
  | Endpoint

export interface SignInWindowOptions {
  /** The window before this one on the same machine. */
  readonly after?: SignInWindow
  /** Credentials are stored as records in the keyring, beside the email. */
  readonly isKeyringReal?: boolean
}

type Wait = <T>(what: Waiting, usual: () => Promise<T>) => Promise<T>

/** The store of one window, in which another one may have signed in. */
class Store extends MemoryCredentialStore {
  /** Of other windows, whose keys this one does not see. */
  override unread: readonly string[] = []
  readonly #wait: Wait
  readonly #keyring: CredentialStore | undefined

  constructor(wait: Wait, keyring: CredentialStore | undefined) {
    super()
    this.#wait = wait
    this.#keyring = keyring
  }

  override load(): Promise<Credential | undefined> {
    return this.#wait('load', () => super.load())
  }

  override save(credential: Credential): Promise<void> {
    return this.#wait('save', () => (this.#keyring ? this.#keyring.save(credential) : super.save(credential)))
  }

  /** What is stored, whatever is held. */
  kept(): Promise<Credential | undefined> {
    return super.load()
  }

  /** Another window has signed in. */
  async putOfAnother(credential: Credential): Promise<void> {
    await super.save(credential)
    this.changed.fire()
  }

  override acknowledgeUnread(): Disposable {
    const before = this.unread
    this.unread = []
    return onEnd(() => {
      this.unread = before
    })
  }
}

interface Held {
  readonly resolve: (value: unknown) => void
  readonly reject: (fault: unknown) => void
  readonly goOn: () => void
}

export class SignInWindow {
  readonly clock = new FakeClock()
  /** What was sent, in order. */
  readonly sent: Endpoint[] = []
  /** The bodies of revocations. */
  readonly revoked: string[] = []
  readonly reports: KeyReport['is'][] = []
  readonly opened: string[] = []
  readonly asked: string[] = []
  readonly store: Store
  readonly account: Account
  readonly signIn: SignIn
  readonly notes: Map<string, AttemptRecord>
  readonly secrets: Map<string, string>
  readonly folder: Map<string, unknown>
  /** The bodies of registrations. */
  readonly bodies: string[] = []
  /** What the user was asked. */
  readonly questions: Waiting[] = []
  readonly states: SignInState['is'][] = []
  shown = 0
  settings = { service: new URL(api) as URL | undefined, baseUrl: api }
  usual: Readonly<Record<Endpoint, Scripted>> = {
    'api document': { body: { resource: api, authorization_servers: [auth], resource_name: 'Example' } },
    'server document': { body: serverDocument },
    registration: { body: { claim_token: 'clm_first', claim: code } },
    'new code': { body: { claim_token: 'clm_first', claim: { ...code, user_code: '87654321' } } },
    token: { status: 400, body: { error: 'authorization_pending' } },
    revocation: {},
    models: { body: { data: [] } },
  }
  answers = { consent: 'continue' as Consent, mayContact: true }
  readonly servers = new Set<string>()
  #holding: Waiting | undefined
  #held: Held | undefined

  constructor({ after, isKeyringReal = false }: SignInWindowOptions = {}) {
    const log = new Log()
    this.notes = after?.notes ?? new Map()
    this.secrets = after?.secrets ?? new Map()
    this.folder = after?.folder ?? new Map()
    const http = new ScriptedHttp(request => this.#answer(request))
    const keyring = new SecretCredentialStore(this.#keyring(), this.clock, log)
    this.store = new Store((what, usual) => this.#wait(what, usual), isKeyringReal ? keyring : undefined)
    this.account = new Account(http.send, this.store, () => this.settings.service?.origin, log, undefined, this.clock)
    this.signIn = new SignIn({
      http: http.send,
      account: this.account,
      settings: this.#settings(),
      memory: this.#memory(),
      machine: { name: 'here', listen: async () => this.#listener() },
      ui: this.#ui(),
      knownServers: {
        has: (one, other) => this.servers.has(`${one} ${other}`),
        add: (one, other) => void this.servers.add(`${one} ${other}`),
      },
      isBrowserHere: true,
      clock: this.clock,
      log,
    })
    this.signIn.onDidReport(({ is }) => this.reports.push(is))
    this.signIn.onDidChange(({ is }) => this.states.push(is))
  }

  #settings() {
    const window = this
    return {
      get service() {
        return window.settings.service
      },
      get baseUrl() {
        return window.settings.baseUrl
      },
      get: () => 'kourier-test',
      set: async (_: 'baseUrl', baseUrl: string) => {
        this.settings = { service: new URL(baseUrl), baseUrl }
      },
    }
  }

  #keyring(): Secrets {
    const whatOf = (name: string) => (name === 'kourier.credential' ? 'key' : 'email')
    return {
      get: name => this.#wait(`read the ${whatOf(name)}`, async () => this.secrets.get(name)),
      store: (name, text) => this.#wait(`write the ${whatOf(name)}`, async () => void this.secrets.set(name, text)),
      delete: async name => void this.secrets.delete(name),
      onDidChange: () => ({ dispose() {} }),
    }
  }

  #memory(): SignInMemory {
    const { folder } = this
    return new SignInMemory(
      this.#keyring(),
      { get: name => folder.get(name), update: async (name, value) => void folder.set(name, value) },
      async write => {
        await write()
        return true
      },
      this.clock,
      { begin: () => () => {}, last: async () => undefined, forget: async () => {} },
      {
        all: async () => [...this.notes.values()],
        write: async note => void this.notes.set(note.attempt, note),
        take: async attempt => this.notes.delete(attempt),
      },
      { own: 1, isAlive: () => true },
    )
  }

  #listener() {
    return {
      redirectUri: 'http://127.0.0.1:4711/callback',
      answer: (state: string) =>
        this.#wait<AuthorizationAnswer>('redirect', async () => ({ code: 'some-code', state, iss: auth })),
      dispose() {},
    }
  }

  #ui(): SignInUi {
    return {
      wantsSignInHere: () => this.#ask('wantsSignInHere', async () => true),
      askAddress: () => this.#ask('askAddress', async () => new URL(api)),
      mayContact: (one, other) => {
        this.asked.push(`${one} ${other}`)
        return this.#ask('mayContact', async () => this.answers.mayContact)
      },
      findEmails: search =>
        this.#wait('findEmails', async () => {
          await search.lastUsed()
          return []
        }),
      askEmail: () => this.#ask('askEmail', async () => email),
      askConsent: () => this.#ask('askConsent', async () => this.answers.consent),
      askKey: () => this.#ask('askKey', async () => key),
      openPage: async url => void this.opened.push(url),
      copy: async () => {},
      show: () => void this.shown++,
    }
  }

  async #answer({ url, body }: HttpRequest): Promise<Scripted> {
    const endpoint = endpoints[new URL(url).pathname as keyof typeof endpoints]
    assert.ok(endpoint, url)
    this.sent.push(endpoint)
    if (endpoint === 'revocation') this.revoked.push(String(body))
    if (endpoint === 'registration') this.bodies.push(String(body))
    return this.#wait(endpoint, async () => this.usual[endpoint])
  }

  #ask<T>(what: Waiting, usual: () => Promise<T>): Promise<T> {
    this.questions.push(what)
    return this.#wait(what, usual)
  }

  #wait<T>(what: Waiting, usual: () => Promise<T>): Promise<T> {
    if (what !== this.#holding) return usual()
    this.#holding = undefined
    return new Promise<T>((resolve, reject) => {
      // What a test gives is what it was asked for.
      this.#held = { resolve: resolve as Held['resolve'], reject, goOn: () => usual().then(resolve, reject) }
    })
  }

  /** The next time that this is asked for, it waits for `give` or `fail`. */
  hold(what: Waiting): void {
    this.#holding = what
  }

  /** Answers what is held; with `undefined` as a user who closes a question. */
  async give(value: unknown): Promise<void> {
    this.#letGo().resolve(value)
    await this.rest()
  }

  /** Answers as if nothing had been held. */
  async goOn(): Promise<void> {
    this.#letGo().goOn()
    await this.rest()
  }

  async fail(fault: unknown): Promise<void> {
    this.#letGo().reject(fault)
    await this.rest()
  }

  #letGo(): Held {
    const held = this.#held
    assert.ok(held, 'something waits for its answer')
    this.#held = undefined
    return held
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  /** Everything that needs no time has happened. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 8; turn++) await settled()
  }

  /** The state, and of an attempt that has ended why. */
  get at(): string {
    const { state } = this.signIn
    return state.is === 'ended' ? `ended: ${state.ending.why}` : state.is
  }

  [Symbol.dispose](): void {
    this.signIn.dispose()
  }
}
