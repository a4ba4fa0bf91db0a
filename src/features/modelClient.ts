// `createModelClient`: everything between the queue and the service, loaded at the first request.
import type { Clock } from '../base/clock.ts'
import type { Account } from '../core/account/account.ts'
import type { Credential } from '../core/http/credential.ts'
import { ProblemError } from '../core/http/errors.ts'
import type { Http } from '../core/http/http.ts'
import type { KeyText } from '../core/log/keyText.ts'
import type { Log } from '../core/log/log.ts'
import { KeyRejectionReporter } from '../core/model/keyRejectionReporter.ts'
import type { ModelClient, ModelRequest } from '../core/model/modelClient.ts'
import { RedactingClient } from '../core/model/redactingClient.ts'
import { SurfaceClient } from '../core/model/surfaceClient.ts'
import { type Limits, TokenBudgetClient } from '../core/model/tokenBudgetClient.ts'
import type { TokenCounter } from '../core/model/tokenCounter.ts'
import type { EditorSettings } from '../editor/ui/editorSettings.ts'

export interface ModelClientParts {
  readonly http: Http
  /** The base address of the service. */
  readonly address: () => string
  readonly settings: EditorSettings
  readonly account: Account
  readonly credential: () => Credential | undefined
  readonly keys: KeyText
  readonly counter: TokenCounter
  readonly limitsOf: (model: string) => Limits
  readonly clock: Clock
  readonly log: Log
}

export interface SendingClient extends ModelClient {
  /** The body of a request as it would be sent now. */
  bodyOf(request: ModelRequest): object
}

export function createModelClient(parts: ModelClientParts): SendingClient {
  const { http, address, settings, account, credential, keys, counter, limitsOf, clock, log } = parts
  const surface = () => settings.get('surface')
  // Nothing of a conversation goes to an address that the user is not signed in to, such as one that has just been set.
  const signedIn: Http = async request => {
    if (!credential()) throw new ProblemError(new URL(request.url).host, 401, {})
    return http(request)
  }
  const sending = new SurfaceClient({ http: signedIn, baseUrl: address, surface, clock, log })
  const reporting = new KeyRejectionReporter(sending, {
    credential,
    onFault: (fault, sent) => account.handleFault(fault, sent),
  })
  const redacting = new RedactingClient(reporting, keys)
  const budget = new TokenBudgetClient(redacting, counter, limitsOf, logCount(log))
  return {
    stream: (request, signal) => budget.stream(request, signal),
    bodyOf: request => sending.bodyOf(redacting.redacted(budget.budgeted(request))),
  }
}

/** How good the estimates are. */
const logCount = (log: Log) => (estimated: number, counted: number) =>
  log.debug('Tokens counted', {
    counted,
    estimated,
    error: `${Math.round((100 * (estimated - counted)) / Math.max(counted, 1))} %`,
  })
