// The tests' own door: clock, faults, replies and the call log over HTTP.
import { type Context, Hono } from 'hono'
import { isPlan, plans, readEmail } from './accounts.ts'
import { plainDialect, readDialect } from './dialect.ts'
import { readFault } from './faults.ts'
import { isObject, isString, isStrings, isWhole, type JsonObject } from './json.ts'
import type { Env, Parts } from './parts.ts'
import { type Decision, isCodeOf, type Registration } from './registrations.ts'
import { readReply } from './replies.ts'
import { isRetryAfterForm } from './slots.ts'

export function control(parts: Parts): Hono<Env> {
  const { clock, faults, replies, slots, log, state, dialect } = parts
  return new Hono<Env>()
    .post('/clock', c => {
      const { advanceMs } = fieldsOf(c)
      if (!isWhole(advanceMs, 0)) return refuse('`advanceMs` is a whole number.')
      clock.advance(advanceMs)
      return c.json({ now: new Date(clock.now()).toISOString() })
    })
    .post('/faults', c => {
      const read = listOf(c).map(readFault)
      const problem = read.find(isString)
      if (problem !== undefined) return refuse(problem)
      faults.add(...read.filter(isNoText))
      return c.json({ added: read.length })
    })
    .delete('/faults', c => {
      faults.clear()
      return c.json({})
    })
    .post('/replies', c => {
      const read = listOf(c).map(readReply)
      const problem = read.find(isString)
      if (problem !== undefined) return refuse(problem)
      replies.add(...read.filter(isNoText))
      return c.json({ added: read.length })
    })
    .delete('/replies', c => {
      replies.clear()
      return c.json({})
    })
    .post('/hold', c => {
      const { atToken = 0 } = fieldsOf(c)
      if (!isWhole(atToken, 0)) return refuse('`atToken` is a whole number.')
      replies.hold(atToken)
      return c.json({})
    })
    .post('/release', c => {
      replies.releaseAll()
      return c.json({})
    })
    .post('/limits', c => {
      const fields = fieldsOf(c)
      const isLimit = ([plan, limit]: [string, unknown]) => isPlan(plan) && isWhole(limit, 0)
      if (!Object.entries(fields).every(isLimit)) return refuse(`A number for each of ${plans.join(', ')} to be set.`)
      Object.assign(slots.limits, fields)
      return c.json(slots.limits)
    })
    .post('/retry-after', c => {
      const { form } = fieldsOf(c)
      if (!isRetryAfterForm(form)) return refuse('`form` is seconds or date.')
      slots.retryAfterForm = form
      return c.json({ form })
    })
    .get('/calls', c => c.json(log.calls))
    .delete('/calls', c => {
      log.clear()
      return c.json({})
    })
    .post('/approve', c => decide(fieldsOf(c), 'approve', parts))
    .post('/deny', c => decide(fieldsOf(c), 'deny', parts))
    .post('/plan', c => {
      const { email: given, plan } = fieldsOf(c)
      const email = readEmail(given)
      if (email === undefined || !isPlan(plan)) return refuse(`\`email\` and one of ${plans.join(', ')} as \`plan\`.`)
      state.accounts.of(email).plan = plan
      return c.json({ email, plan })
    })
    .post('/keys', c => {
      const { email: given, name = 'Test key' } = fieldsOf(c)
      const email = readEmail(given)
      if (email === undefined || !isString(name)) return refuse('`email` and, if wanted, a `name`.')
      return c.json({ key: state.issueKey(email, name) })
    })
    .post('/activation-codes', c => {
      const { label = 'Test' } = fieldsOf(c)
      return isString(label) ? c.json({ code: state.activationCodes.issue(label) }) : refuse('`label` is a text.')
    })
    .post('/models', c => {
      const { ids, granted } = fieldsOf(c)
      if (ids !== null && !isStrings(ids)) return refuse('`ids` is a list of texts, or null for no list at all.')
      if (granted !== undefined && !isStrings(granted)) return refuse('`granted` is a list of texts.')
      setModels(parts, ids ?? undefined, granted)
      return c.json({ listed: state.listedModels ?? null, granted: state.grantedModels })
    })
    .post('/key-creation', c => {
      const { fails } = fieldsOf(c)
      if (typeof fails !== 'boolean') return refuse('`fails` is true or false.')
      state.keyCreationFails = fails
      return c.json({ fails })
    })
    .post('/dialect', c => {
      const read = readDialect(fieldsOf(c))
      if (isString(read)) return refuse(read)
      return c.json(Object.assign(dialect, read))
    })
    .delete('/dialect', c => c.json(Object.assign(dialect, plainDialect())))
    .get('/state', c => c.json(stateOf(parts)))
}

/** A list that is empty or missing changes only what is listed: inference goes on as it was. */
function setModels({ state }: Parts, listed: string[] | undefined, granted: string[] | undefined): void {
  state.listedModels = listed
  state.grantedModels = granted ?? (listed && listed.length > 0 ? listed : state.grantedModels)
}

const refuse = (error: string, status = 400) => Response.json({ error }, { status })

const isNoText = <T>(value: T): value is Exclude<T, string> => !isString(value)

function jsonOf(c: Context<Env>): unknown {
  const body = c.get('body')
  return body.kind === 'json' ? body.value : undefined
}

function fieldsOf(c: Context<Env>): JsonObject {
  const value = jsonOf(c)
  return isObject(value) ? value : {}
}

const listOf = (c: Context<Env>): unknown[] => [jsonOf(c)].flat()

/** Does what the page does, for the owner of the email, who is taken to be signed in. */
function decide(fields: JsonObject, what: 'approve' | 'deny', { state }: Parts): Response {
  const { registration_id: id, user_code: code } = fields
  const found = state.registrations.all.findLast(one =>
    isString(id) ? one.id === id : isString(code) && isCodeOf(one.attempt, code),
  )
  if (!found) return refuse('There is no such registration.', 404)
  if (what === 'approve' && state.accounts.of(found.email).plan === 'free')
    return refuse('The account has no plan.', 409)
  const decision: Decision =
    what === 'deny'
      ? state.registrations.deny(found, found.attempt, found.email)
      : state.registrations.approve(found, found.attempt, found.email, isString(code) ? code : '')
  return decision === 'done' ? Response.json(withoutSecrets(found)) : refuse(`Not possible: ${decision}.`, 409)
}

function stateOf({ state, slots, clock }: Parts) {
  return {
    now: new Date(clock.now()).toISOString(),
    openRequests: slots.open,
    registrations: state.registrations.all.map(withoutSecrets),
    accounts: state.accounts.all,
    keys: state.keys.all.map(({ id, name, email, fingerprint, revokedAt }) => ({
      id,
      name,
      email,
      fingerprint,
      revoked: revokedAt !== undefined,
    })),
    models: { listed: state.listedModels ?? null, granted: state.grantedModels },
  }
}

const withoutSecrets = ({ id, email, clientName, status, expiresAt, intervalMs, attempt }: Registration) => ({
  registration_id: id,
  email,
  client_name: clientName ?? null,
  status,
  expires_at: new Date(expiresAt).toISOString(),
  interval: intervalMs / 1000,
  claim_attempt_id: attempt.id,
  code_expires_at: new Date(attempt.expiresAt).toISOString(),
  wrong_codes: attempt.wrongCodes,
})
