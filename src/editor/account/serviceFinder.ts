// Finds the service that is signed in to: at the address in the settings, or at one that the user names.
import type { Clock } from '../../base/clock.ts'
import { plainAddress } from '../../core/account/address.ts'
import { offersBrowser } from '../../core/account/clientId.ts'
import { discover, type Service } from '../../core/account/discovery.ts'
import type { Http } from '../../core/http/http.ts'
import type { EditorSettings } from '../ui/editorSettings.ts'
import { askAddress } from './askAddress.ts'
import { showIfLong } from './showIfLong.ts'

const LONG_MS = 1_000
/** A service that is silent is waited for half a minute. */
const STILL = 'it takes its time; still trying'

export interface ServiceFinderOptions {
  readonly http: Http
  readonly settings: EditorSettings
  /** A browser that is opened runs on the machine of this extension. */
  readonly isBrowserHere: boolean
  readonly clock: Clock
}

export interface Search {
  readonly signal: AbortSignal
  /** Also where an address is set already. */
  readonly asksAddress: boolean
  /** The documents of `host` are being fetched. */
  readonly onLooking: (host: string, text: string) => void
  readonly onCancel: () => void
}

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

  /** Until the service has been asked nobody knows whether it offers it; a service that does not says so once. */
  get canUseBrowser(): boolean {
    const { isBrowserHere } = this.#options
    return isBrowserHere && (!this.known || this.offersBrowser(this.known))
  }

  /** `service` lets in with a browser, and the browser can answer this extension. */
  offersBrowser(service: Service): boolean {
    const { isBrowserHere, settings } = this.#options
    return isBrowserHere && offersBrowser(service, settings.get('clientId'))
  }

  /** Undefined when the user gave up. An address that led to a service is kept in the settings. */
  async find({ signal, asksAddress, onLooking, onCancel }: Search): Promise<Service | undefined> {
    const { http, settings, clock } = this.#options
    const known = asksAddress ? undefined : settings.service
    const url = known ?? (await askAddress(this.#lastAddress || settings.baseUrl, signal))
    if (!url) return undefined
    this.#lastAddress = plainAddress(url)
    const title = `Looking for the service at ${url.host}`
    onLooking(url.host, title)
    const done = discover(http, url, clock, signal)
    const service = await showIfLong({ title, done, afterMs: LONG_MS, still: STILL, onCancel }, clock)
    this.#found = service
    if (!known) await settings.set('baseUrl', plainAddress(url))
    return service
  }
}
