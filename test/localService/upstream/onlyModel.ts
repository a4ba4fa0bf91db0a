// Finds the model of a server that has just one, so that nobody has to type its name.
import { isObject, isString } from '../json.ts'
import { type Upstream, type UpstreamChoice, UsageError } from '../options.ts'

const LIMIT_MS = 10_000

/** The upstream with a model. Throws a `UsageError` where the server has several, or cannot be asked. */
export async function withModel(upstream: UpstreamChoice): Promise<Upstream> {
  return { ...upstream, model: upstream.model ?? (await onlyModel(upstream)) }
}

async function onlyModel({ url, key }: UpstreamChoice): Promise<string> {
  const ids = await listedModels(url, key)
  const [first, ...others] = ids
  if (first === undefined) throw new UsageError(`${url} does not say which models it has; ${nameIt}.`)
  if (others.length > 0) throw new UsageError(`${url} has several models; ${nameIt}: ${ids.slice(0, 20).join(', ')}.`)
  return first
}

const nameIt = 'name one with --upstream-model ID'

async function listedModels(url: string, key: string | undefined): Promise<string[]> {
  const answer = await ask(`${url}/models`, key)
  const { data } = isObject(answer) ? answer : {}
  const entries = Array.isArray(data) ? data : []
  return entries.flatMap(entry => (isObject(entry) && isString(entry['id']) ? [entry['id']] : []))
}

async function ask(url: string, key: string | undefined): Promise<unknown> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  try {
    const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(LIMIT_MS) })
    return await answer.json()
  } catch {
    throw new UsageError(`${url} gives no list of models; start that server first, or ${nameIt}.`)
  }
}
