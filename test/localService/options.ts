// What can be set when the service starts, and reading it from the command line.
import { parseArgs } from 'node:util'
import { isPlan, type Plan, plans, readEmail } from './accounts.ts'

export interface Upstream {
  /** The address before `/chat/completions`. */
  readonly url: string
  readonly model: string
  readonly key?: string
}

export interface Options {
  /** 0: the system chooses. */
  readonly port: number
  /** The plan that a new account starts with. */
  readonly plan: Plan
  readonly seedUser: string | undefined
  /** 0: at once. */
  readonly tokensPerSecond: number
  readonly model: string
  /** Seconds between two polls. */
  readonly interval: number
  readonly limits: Partial<Record<Plan, number>>
  readonly upstream: Upstream | undefined
}

export type ServiceOptions = Partial<Options>

export const defaultOptions: Options = {
  port: 0,
  plan: 'free',
  seedUser: undefined,
  tokensPerSecond: 0,
  model: 'kourier-1-0815',
  interval: 5,
  limits: {},
  upstream: undefined,
}

export interface CommandLine {
  readonly options: ServiceOptions
  readonly isJson: boolean
}

/** A command line that cannot be understood; the message is one sentence for the person who typed it. */
export class UsageError extends Error {}

export function readCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): CommandLine {
  const values = parse(args)
  const upstream = readUpstream(values, env)
  const options = {
    port: readNumber('port', values.port ?? '0', 65_535),
    plan: readPlan(values.plan ?? defaultOptions.plan),
    seedUser: values['seed-user'] === undefined ? undefined : readSeedUser(values['seed-user']),
    tokensPerSecond: readNumber('tokens-per-second', values['tokens-per-second'] ?? '60', 100_000),
    model: readModel('model', values.model ?? defaultOptions.model),
    interval: readNumber('interval', values.interval ?? String(defaultOptions.interval), 60),
    upstream,
  }
  return { options, isJson: values.json ?? false }
}

const flags = {
  port: { type: 'string' },
  plan: { type: 'string' },
  'seed-user': { type: 'string' },
  'tokens-per-second': { type: 'string' },
  model: { type: 'string' },
  interval: { type: 'string' },
  json: { type: 'boolean' },
  upstream: { type: 'string' },
  'upstream-model': { type: 'string' },
  'upstream-key-env': { type: 'string' },
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

function readUpstream(values: Values, env: NodeJS.ProcessEnv): Upstream | undefined {
  const { upstream: address, 'upstream-model': model, 'upstream-key-env': keyName } = values
  if (address === undefined) {
    if (model !== undefined || keyName !== undefined) throw new UsageError('--upstream-model needs --upstream URL.')
    return undefined
  }
  if (model === undefined) throw new UsageError('--upstream needs --upstream-model ID.')
  if (!isHttpUrl(address)) throw new UsageError(`--upstream must be an http or https address, not '${address}'.`)
  const url = address.replace(/\/+$/, '')
  if (keyName === undefined) return { url, model: readModel('upstream-model', model) }
  const key = env[keyName]
  if (!key) throw new UsageError(`--upstream-key-env names the variable ${keyName}, which is not set.`)
  return { url, model: readModel('upstream-model', model), key }
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

function readSeedUser(text: string): string {
  const email = readEmail(text)
  if (email === undefined) throw new UsageError(`--seed-user must be an email address, not '${text}'.`)
  return email
}

function readModel(name: string, text: string): string {
  if (!/^\S+$/.test(text)) throw new UsageError(`--${name} must be a model id without spaces, not '${text}'.`)
  return text
}
