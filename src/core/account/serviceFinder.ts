// ServiceFinder: discovers the service for a sign-in, at the address in the settings or at one that the user types.
import { raceAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Http } from '../http/http.ts'
import { isLoopbackHost } from '../http/loopbackHost.ts'
import { plainAddress } from './address.ts'
import type { Api, Service } from './discovery.ts'
import type { KnownServers } from './knownServers.ts'
import type { AddressSource } from './signInState.ts'
import type { SignInSettings, SignInUi } from './signInUi.ts'

export interface ServiceFinderOptions {
  readonly http: Http
  readonly settings: SignInSettings
  readonly ui: Pick<SignInUi, 'askAddress' | 'mayContact'>
  readonly knownServers: KnownServers
  /** A browser that is opened runs on the machine of this extension. */
  readonly isBrowserHere: boolean
  readonly clock: Clock
}

export type SearchStep =
  | { readonly is: 'asking for the address'; readonly address: AddressSource }
  | { readonly is: 'finding the service'; readonly address: AddressSource; readonly host: string }
  | { readonly is: 'asking about the server'; readonly address: AddressSource; readonly host: string }

export class ServiceFinder {
  readonly #options: ServiceFinderOptions
  #found: Service | undefined
  /** What was typed last and did not lead to a service. */
  #lastAddress = ''

  constructor(options: ServiceFinderOptions) {
    this.#options = options
  }

  /** The service that was found last, as long as the settings still name it. */
  get known(): Service | undefined {
    const { service } = this.#options.settings
    return this.#found && service && this.#found.baseUrl === plainAddress(service) ? this.#found : undefined
  }

  /** True until discovery has shown that the service does not offer the browser. */
  get canUseBrowser(): boolean {
    const { isBrowserHere } = this.#options
    return isBrowserHere && (!this.known || this.offersBrowser(this.known))
  }

  /** `service` offers the browser, and the browser can answer this extension. */
  offersBrowser(service: Service): boolean {
    const { isBrowserHere, settings } = this.#options
    return isBrowserHere && offersBrowser(service, settings.get('clientId'))
  }

  /** Undefined when the user closed a question. An address that led to a service is kept in the settings. */
  async find(
    address: AddressSource,
    onStep: (step: SearchStep) => void,
    signal: AbortSignal,
  ): Promise<Service | undefined> {
    const { http, settings, clock } = this.#options
    const known = address === 'named' ? undefined : settings.service
    const url = known ?? (await this.#ask(address, onStep, signal))
    if (!url) return undefined
    this.#lastAddress = plainAddress(url)
    onStep({ is: 'finding the service', address, host: url.host })
    const { findApi, findService } = await raceAbort(import('./discovery.ts'), signal)
    const api = await findApi(http, url, clock, signal)
    if (!this.#isKnown(api)) {
      onStep({ is: 'asking about the server', address, host: url.host })
      if (!(await this.#mayContact(api, signal))) return undefined
      onStep({ is: 'finding the service', address, host: url.host })
    }
    const service = await findService(http, api, clock, signal)
    this.#found = service
    if (!known) await settings.set('baseUrl', plainAddress(url))
    return service
  }

  /** The user is not asked about a server on the host of the API, or where both are on this machine. */
  #isKnown({ baseUrl, issuer }: Api): boolean {
    if (issuer.host === baseUrl.host) return true
    if (isLoopbackHost(issuer.hostname) && isLoopbackHost(baseUrl.hostname)) return true
    return this.#options.knownServers.has(baseUrl.host, issuer.host)
  }

  async #mayContact({ baseUrl, issuer }: Api, signal: AbortSignal): Promise<boolean> {
    const { ui, knownServers } = this.#options
    if (!(await raceAbort(ui.mayContact(baseUrl.host, issuer.host), signal))) return false
    knownServers.add(baseUrl.host, issuer.host)
    return true
  }

  #ask(address: AddressSource, onStep: (step: SearchStep) => void, signal: AbortSignal): Promise<URL | undefined> {
    const { ui, settings } = this.#options
    onStep({ is: 'asking for the address', address })
    return raceAbort(ui.askAddress(this.#lastAddress || settings.baseUrl, signal), signal)
  }
}

/** Whether the browser can be used there: the documents offer it, and a client id can be had. */
export function offersBrowser({ browser }: Service, setting: string): boolean {
  return browser !== undefined && (setting !== '' || browser.registrationEndpoint !== undefined)
}
