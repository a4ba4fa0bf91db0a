// The account's own page: plan, keys, and how to connect other tools.
import { Hono } from 'hono'
import { html } from 'hono/html'
import { page } from '../page.ts'
import {
  type FormVisit,
  formVisitOf,
  planOfButton,
  redirectWithNotice,
  staleForm,
  type Visit,
  visitOf,
} from '../pageVisit.ts'
import type { Env, Parts } from '../parts.ts'
import { accountHeader } from '../site/accountHeader.ts'
import { keySection, type NewKey } from '../site/keySection.ts'
import { catalogPath } from '../site/paths.ts'
import { planNames, planSection } from '../site/planSection.ts'
import { toolsSection } from '../site/toolsSection.ts'

export function dashboard(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/', c => {
      c.header('link', `<${catalogPath}>; rel="api-catalog"`)
      return c.redirect('/dashboard')
    })
    .get('/dashboard', c => show(visitOf(c, parts)))
    .post('/dashboard', c => {
      const visit = formVisitOf(c, parts)
      if (!visit) return staleForm(c)
      const { email } = visit.session
      return email === undefined ? c.redirect('/sign-in', 303) : act(visit, email)
    })
}

function act(visit: FormVisit, email: string): Response | Promise<Response> {
  const { action, form } = visit
  if (action === 'generate') return generateKey(visit, email)
  if (action === 'redeem') return redeem(visit, email)
  if (form.has('revoke')) return revokeKey(visit, email)
  return choosePlan(visit, email)
}

function choosePlan(visit: FormVisit, email: string): Response | Promise<Response> {
  const account = visit.parts.state.accounts.of(email)
  const plan = planOfButton(visit.action)
  // Omega is assigned, not chosen, so no button ends it either.
  if (!plan || account.plan === 'omega') return show(visit)
  account.plan = plan
  return redirectWithNotice(visit, '/dashboard', 'plan', `You are on the ${planNames[plan]} plan now.`)
}

function redeem(visit: FormVisit, email: string): Response | Promise<Response> {
  const { accounts, activationCodes } = visit.parts.state
  const account = accounts.of(email)
  if (account.plan === 'omega') return show(visit, { planProblem: 'You are on Omega already. The code was not used.' })
  switch (activationCodes.redeem(visit.form.get('activation_code') ?? '', email)) {
    case 'done':
      account.plan = 'omega'
      return redirectWithNotice(visit, '/dashboard', 'plan', 'The code was accepted: you are on the Omega plan now.')
    case 'used':
      return show(visit, { planProblem: 'This code has been used already. Ask your administrator for another one.' })
    case 'withdrawn':
      return show(visit, { planProblem: 'This code was withdrawn. Ask your administrator for another one.' })
    case 'unknown':
      return show(visit, { planProblem: 'There is no such code. Compare it with the one that you were given.' })
    case 'too many guesses': {
      const minutes = Math.ceil(activationCodes.msToWait(email) / 60_000)
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
      const planProblem = `Too many wrong codes were typed. Try again in ${wait}.`
      return show(visit, { planProblem, status: 429 })
    }
  }
}

function generateKey(visit: FormVisit, email: string): Response | Promise<Response> {
  const { state } = visit.parts
  const name = visit.form.get('name')?.trim().slice(0, 60) || `Key ${state.keys.of(email).length + 1}`
  const secret = state.issueKey(email, name)
  // Not by way of the page asked for anew: the key is in this one answer and nowhere else.
  return show(visit, { newKey: { name: state.keys.find(secret)?.name ?? name, secret } })
}

function revokeKey(visit: FormVisit, email: string): Response | Promise<Response> {
  const { state, clock } = visit.parts
  const key = state.keys.of(email).find(({ id }) => id === visit.form.get('revoke'))
  if (!key) return show(visit)
  state.keys.revoke(key, clock.now())
  return redirectWithNotice(
    visit,
    '/dashboard',
    'keys',
    `The key ${key.name} was revoked. Whoever uses it is refused from now on.`,
  )
}

interface ShowOptions {
  readonly planProblem?: string
  readonly newKey?: NewKey
  readonly status?: 429
}

function show(visit: Visit, { planProblem, newKey, status }: ShowOptions = {}): Response | Promise<Response> {
  const { email } = visit.session
  if (email === undefined) return visit.c.redirect('/sign-in', 303)
  const account = visit.parts.state.accounts.of(email)
  return page(visit.c, {
    title: 'Dashboard',
    isWide: true,
    status: status ?? (planProblem === undefined ? 200 : 400),
    navigation: accountHeader(visit, email),
    content: html`<h1>Dashboard</h1>
${planSection(visit, account, planProblem)}
${keySection(visit, visit.parts.state.keys.of(email), newKey)}
${toolsSection(visit.parts)}`,
  })
}
