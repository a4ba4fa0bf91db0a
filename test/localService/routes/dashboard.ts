// The account's own page: plan, keys, and the model string for other tools.
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Plan } from '../accounts.ts'
import type { Key } from '../keys.ts'
import { type Html, page } from '../page.ts'
import {
  csrfField,
  type FormVisit,
  formVisitOf,
  planButtons,
  planOfButton,
  signIn,
  signInPage,
  signOut,
  staleForm,
  type Visit,
  visitOf,
} from '../pageVisit.ts'
import type { Env, Parts } from '../parts.ts'

export function dashboard(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/', c => c.redirect('/dashboard'))
    .get('/signup', c => createAccount(visitOf(c, parts)))
    .get('/dashboard', c => show(visitOf(c, parts)))
    .post('/dashboard', c => {
      const visit = formVisitOf(c, parts)
      return visit ? act(visit) : staleForm(c)
    })
}

function act(visit: FormVisit): Response | Promise<Response> {
  const { c, action, form, session } = visit
  const { state, clock } = visit.parts
  if (action === 'sign_in' && !signIn(visit)) return askEmail(visit, 'This is no email address.')
  if (session.email === undefined) return c.redirect('/dashboard', 303)
  if (action === 'sign_out') signOut(visit)
  if (action === 'generate') {
    const name = form.get('name')?.trim().slice(0, 60) || `Key ${state.keys.of(session.email).length + 1}`
    // Not by way of the page asked for anew: the key stands in this one answer and nowhere else.
    return show(visit, { name, secret: state.issueKey(session.email, name) })
  }
  const plan = planOfButton(action)
  if (plan) state.accounts.of(session.email).plan = plan
  const revoked = state.keys.of(session.email).find(key => key.id === form.get('revoke'))
  if (revoked) state.keys.revoke(revoked, clock.now())
  return c.redirect('/dashboard', 303)
}

const askEmail = (visit: Visit, problem?: string) =>
  signInPage(visit, { title: 'Sign in', why: anyEmail, button: 'Sign in', action: '/dashboard', problem })

const createAccount = (visit: Visit) =>
  signInPage(visit, { title: 'Create an account', why: anyEmail, button: 'Create account', action: '/dashboard' })

const anyEmail = 'Any email address will do; an account is made where there is none.'

interface NewKey {
  readonly name: string
  readonly secret: string
}

function show(visit: Visit, made?: NewKey): Promise<Response> {
  const { email } = visit.session
  if (email === undefined) return askEmail(visit)
  return page(visit.c, {
    title: 'Dashboard',
    navigation: html`<nav aria-label="Dashboard"><a href="#plan">Plan</a> <a href="#keys">API keys</a>
<a href="#tools">Connect your tools</a></nav>`,
    content: html`<h1>Dashboard</h1>
<form class="card" method="post" action="/dashboard">${csrfField(visit)}
<p>Signed in as <strong>${email}</strong>.</p>
<button class="quiet" name="action" value="sign_out">Sign out</button></form>
${planCard(visit, visit.parts.state.accounts.of(email).plan)}
${keyCard(visit, visit.parts.state.keys.of(email), made)}
${toolsCard(visit.parts)}`,
  })
}

const planNames: Readonly<Record<Plan, string>> = { free: 'Free', pro: 'Pro', max: 'Max', omega: 'Omega' }

function planCard(visit: Visit, plan: Plan): Html {
  const name = html`You are on the <strong>${planNames[plan]}</strong> plan`
  const free = html`<p>${name}, which has no API access. Here a plan costs nothing:</p>
<form method="post" action="/dashboard">${csrfField(visit)}<div class="row">${planButtons}</div></form>`
  const paid = html`<p>${name}: ${visit.parts.slots.limits[plan]} requests at the same time.</p>`
  return html`<section class="card" id="plan" aria-labelledby="plan-title"><h2 id="plan-title">Plan</h2>
${plan === 'free' ? free : paid}</section>`
}

const keyCard = (visit: Visit, keys: readonly Key[], made: NewKey | undefined): Html =>
  html`<section class="card" id="keys" aria-label="Keys">
${made && newKeyLine(made)}
<form method="post" action="/dashboard">${csrfField(visit)}<div class="scroll"><table><caption>API keys</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Made</th><th scope="col">State</th></tr></thead>
<tbody>${keys.length > 0 ? keys.map(keyRow) : html`<tr><td colspan="3">No keys yet.</td></tr>`}</tbody></table></div></form>
<form method="post" action="/dashboard">${csrfField(visit)}<label for="name">Name of a new key</label>
<input id="name" name="name" maxlength="60" autocomplete="off">
<div class="row"><button class="strong" name="action" value="generate">Generate key</button></div></form></section>`

const newKeyLine = ({ name, secret }: NewKey): Html =>
  html`<p class="good" role="status">Your new key <strong>${name}</strong> is shown only now. Copy it:
<code id="new-key">${secret}</code></p>`

const keyRow = (key: Key): Html =>
  html`<tr><td>${key.name}</td><td>${new Date(key.createdAt).toISOString().slice(0, 16).replace('T', ' ')}</td>
<td>${key.revokedAt === undefined ? revokeButton(key) : 'Revoked'}</td></tr>`

const revokeButton = ({ id, name }: Key): Html =>
  html`<button class="quiet" name="revoke" value="${id}">Revoke ${name}</button>`

const toolsCard = ({ state, addresses }: Parts): Html =>
  html`<section class="card" id="tools" aria-labelledby="tools-title"><h2 id="tools-title">Connect your tools</h2>
<dl><dt>Model</dt><dd><code>${state.grantedModels[0]}</code></dd>
<dt>Service address</dt><dd><code>${addresses.baseUrl}</code></dd>
<dt>Chat completions</dt><dd><code>${addresses.baseUrl}/v1</code></dd></dl></section>`
