// What can be set when the service starts, and reading it from the command line.
import type { SecureVersion } from 'node:tls'
import { parseArgs } from 'node:util'
import { isPlan, type Plan, plans, readEmail } from './accounts.ts'
import type { CertificateKind } from './authority.ts'
import { type Dialect, readDialect } from './dialect.ts'
import { readScenario, type Scenario, ScenarioError } from './scenario.ts'
import { isRetryAfterForm, type RetryAfterForm } from './slots.ts'

export interface Upstream {
  /** The address before `/chat/completions`. */
  readonly url: string
  readonly model: string
  readonly key?: string
  /** How long it may be silent, before its first byte and between two; without it ten minutes. */
  readonly silenceMs?: number
}

/** Without a model: the only one that the server has. */
export type UpstreamChoice = Omit<Upstream, 'model'> & { readonly model?: string }

export interface Https {
  /** What is wrong with the certificate; without it, it is valid. */
  readonly certificate?: CertificateKind
  /** The newest version of TLS that the service speaks. */
  readonly maxVersion?: SecureVersion
}

export interface Options {
  /** 0: the system chooses. */
  readonly port: number
  /** The plan that a new account starts with. */
  readonly plan: Plan
  readonly seedUser: string | undefined
  /** Who may open the administrator's page; without one, the seed user. */
  readonly admin: string | undefined
  /** 0: at once. */
  readonly tokensPerSecond: number
  readonly model: string
  /** Seconds between two polls. */
  readonly interval: number
  /** What the extension calls itself at the authorize page. */
  readonly clientId: string
  readonly dialect: Partial<Dialect>
  readonly limits: Partial<Record<Plan, number>>
  readonly upstream: Upstream | undefined
  /** What the demo model does in turns with tools, before its own. */
  readonly scenarios: readonly Scenario[]
  /** With a certificate of an authority of its own, made at the start. */
  readonly https: boolean | Https
  /** The name under which the service is known behind a proxy: its addresses are `https://NAME` and `https://auth.NAME`. */
  readonly publicName: string | undefined
  /** Where users, plans, keys and registrations are kept across restarts; without it in memory only. */
  readonly stateFile: string | undefined
  /** How long a request may take to arrive. */
  readonly requestTimeoutMs: number
  /** How a refusal at the plan's limit announces when to come again. */
  readonly retryAfterForm: RetryAfterForm
}

export type ServiceOptions = Partial<Omit<Options, 'upstream'>> & { readonly upstream?: UpstreamChoice | undefined }

export const defaultOptions: Options = {
  port: 0,
  plan: 'free',
  seedUser: undefined,
  admin: undefined,
  tokensPerSecond: 0,
  model: 'kourier-1-0815',
  interval: 5,
  clientId: 'kourier-vscode',
  dialect: {},
  limits: {},
  upstream: undefined,
  scenarios: [],
  https: false,
  publicName: undefined,
  stateFile: undefined,
  requestTimeoutMs: 60_000,
  retryAfterForm: 'seconds',
}

export interface CommandLine {
  readonly options: ServiceOptions
  readonly isJson: boolean
  /** Where the authority's certificate goes; without it into a temporary folder. */
  readonly caFile: string | undefined
}

/** A command line that cannot be understood; the message is one sentence for the person who typed it. */
export class UsageError extends Error {}

export function readCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): CommandLine {
  const values = parse(args)
  const upstream = readUpstream(values, env)
  const options = {
    port: readNumber('port', values.port ?? '0', 65_535),
    plan: readPlan(values.plan ?? defaultOptions.plan),
    seedUser: readPerson('seed-user', values['seed-user']),
    admin: readPerson('admin', values.admin),
    tokensPerSecond: readNumber('tokens-per-second', values['tokens-per-second'] ?? '60', 100_000),
    model: readModel('model', values.model ?? defaultOptions.model),
    interval: readNumber('interval', values.interval ?? String(defaultOptions.interval), 60),
    dialect: readDialectFlags(values.dialect ?? []),
    upstream,
    scenarios: readScenarios(values.scenario ?? []),
    https: readHttps(values),
    limits: readLimits(values['omega-limit']),
    retryAfterForm: readForm(values['retry-after']),
    stateFile: readStateFile(values.state),
  }
  return { options, isJson: values.json ?? false, caFile: values['ca-file'] }
}

function readScenarios(files: readonly string[]): Scenario[] {
  try {
    return files.map(readScenario)
  } catch (fault) {
    throw fault instanceof ScenarioError ? new UsageError(fault.message) : fault
  }
}

const flags = {
  port: { type: 'string' },
  plan: { type: 'string' },
  'seed-user': { type: 'string' },
  admin: { type: 'string' },
  'tokens-per-second': { type: 'string' },
  model: { type: 'string' },
  interval: { type: 'string' },
  dialect: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  scenario: { type: 'string', multiple: true },
  upstream: { type: 'string' },
  'upstream-model': { type: 'string' },
  'upstream-key-env': { type: 'string' },
  'upstream-timeout': { type: 'string' },
  https: { type: 'boolean' },
  'ca-file': { type: 'string' },
  'omega-limit': { type: 'string' },
  'retry-after': { type: 'string' },
  state: { type: 'string' },
} as const

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // Node's own messages add advice after the first sentence.
    throw new UsageError(`${message.split(/\.\s/)[0]?.replace(/\.$/, '')}.`)
  }
}

type Values = ReturnType<typeof parse>

function readUpstream(values: Values, env: NodeJS.ProcessEnv): UpstreamChoice | undefined {
  const { upstream: address, 'upstream-model': model, 'upstream-key-env': keyName } = values
  if (address === undefined) {
    const detail = (['upstream-model', 'upstream-key-env', 'upstream-timeout'] as const).find(
      name => values[name] !== undefined,
    )
    if (detail) throw new UsageError(`--${detail} needs --upstream URL.`)
    return undefined
  }
  if (!isHttpUrl(address)) throw new UsageError(`--upstream must be an http or https address, not '${address}'.`)
  const { username, password } = new URL(address)
  if (username || password) throw new UsageError('--upstream must be without a password; use --upstream-key-env NAME.')
  const url = address.replace(/\/+$/, '')
  const silenceMs = readNumber('upstream-timeout', values['upstream-timeout'] ?? '600', 86_400) * 1000
  if (silenceMs === 0) throw new UsageError('--upstream-timeout must be at least 1.')
  const there = { url, silenceMs, ...(model !== undefined && { model: readModel('upstream-model', model) }) }
  if (keyName === undefined) return there
  const key = env[keyName]
  if (!key) throw new UsageError(`--upstream-key-env names the variable ${keyName}, which is not set.`)
  return { ...there, key }
}

function readHttps({ https = false, 'ca-file': caFile }: Values): boolean {
  if (caFile !== undefined && !https) throw new UsageError('--ca-file needs --https.')
  if (caFile === '') throw new UsageError('--ca-file must be the path of a file.')
  return https
}

function readDialectFlags(flags: readonly string[]): Partial<Dialect> {
  const pairs = flags.map(flag => /^([^=]+)=(.+)$/.exec(flag)?.slice(1) ?? [])
  if (pairs.some(pair => pair.length === 0)) throw new UsageError('--dialect must be NAME=VALUE.')
  const dialect = readDialect(Object.fromEntries(pairs))
  if (typeof dialect === 'string') throw new UsageError(`--dialect: ${dialect}`)
  return dialect
}

function readStateFile(path: string | undefined): string | undefined {
  if (path === '') throw new UsageError('--state must be the path of a file.')
  return path
}

function isHttpUrl(address: string): boolean {
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  return protocol === 'http:' || protocol === 'https:'
}

function readNumber(name: string, text: string, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(number <= most)) throw new UsageError(`--${name} must be a whole number from 0 to ${most}, not '${text}'.`)
  return number
}

function readPlan(text: string): Plan {
  if (!isPlan(text)) throw new UsageError(`--plan must be one of ${plans.join(', ')}, not '${text}'.`)
  return text
}

function readLimits(omega: string | undefined): Options['limits'] {
  return omega === undefined ? {} : { omega: readNumber('omega-limit', omega, 10_000) }
}

function readForm(text: string = defaultOptions.retryAfterForm): RetryAfterForm {
  if (!isRetryAfterForm(text)) throw new UsageError(`--retry-after must be seconds or date, not '${text}'.`)
  return text
}

function readPerson(name: string, text: string | undefined): string | undefined {
  const email = readEmail(text)
  if (text !== undefined && email === undefined)
    throw new UsageError(`--${name} must be an email address, not '${text}'.`)
  return email
}

function readModel(name: string, text: string): string {
  if (!/^\S+$/.test(text)) throw new UsageError(`--${name} must be a model id without spaces, not '${text}'.`)
  return text
}
