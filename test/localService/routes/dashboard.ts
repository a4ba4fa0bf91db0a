// The account's own page: plan, keys, and the model string for other tools.
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Key } from '../keys.ts'
import { alert, type Html, page } from '../page.ts'
import { csrfField, readForm, sessionOf, signIn, signInPage, signOut, withCookies } from '../pageSession.ts'
import type { Env, Parts } from '../parts.ts'
import type { Session } from '../sessions.ts'

export function dashboard(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/', c => c.redirect('/dashboard', 302))
    .get('/signup', c => withCookies(c, askEmail(sessionOf(c, parts), 'Create an account')))
    .get('/dashboard', c => withCookies(c, show(sessionOf(c, parts), parts)))
    .post('/dashboard', c => {
      const read = readForm(c, parts)
      return read instanceof Promise ? read : withCookies(c, act(c, parts, read.form, read.session))
    })
}

function act(c: Context<Env>, parts: Parts, form: URLSearchParams, session: Session): Promise<Response> {
  const { state, clock } = parts
  const action = form.get('action')
  if (action === 'sign_in') {
    const signedIn = signIn(c, parts, session, form)
    return signedIn ? backToPage() : askEmail(session, 'Sign in', 'This is not an email address.')
  }
  if (session.email === undefined) return show(session, parts)
  if (action === 'sign_out') signOut(c, parts, session)
  if (action === 'choose_pro' || action === 'choose_max')
    state.accounts.of(session.email).plan = action === 'choose_pro' ? 'pro' : 'max'
  if (action === 'generate') {
    const name = form.get('name')?.trim().slice(0, 60) || `Key ${state.keys.of(session.email).length + 1}`
    // Not by way of the page asked for anew: the key is in this one answer and nowhere else.
    return show(session, parts, { name, secret: state.issueKey(session.email, name) })
  }
  const revoked = state.keys.of(session.email).find(key => key.id === form.get('revoke'))
  if (revoked) state.keys.revoke(revoked, clock.now())
  return backToPage()
}

const backToPage = () => Promise.resolve(new Response(null, { status: 303, headers: { location: '/dashboard' } }))

const askEmail = (session: Session, title: 'Sign in' | 'Create an account', problem?: string) =>
  signInPage({
    title,
    why: 'Any email address will do; an account is made where there is none.',
    button: title === 'Sign in' ? 'Sign in' : 'Create account',
    action: '/dashboard',
    session,
    problem,
  })

interface NewKey {
  readonly name: string
  readonly secret: string
}

function show(session: Session, parts: Parts, made?: NewKey): Promise<Response> {
  if (session.email === undefined) return askEmail(session, 'Sign in')
  const { state, addresses } = parts
  const { plan } = state.accounts.of(session.email)
  return page({
    title: 'Dashboard',
    navigation: html`<nav aria-label="Dashboard"><a href="#plan">Plan</a><a href="#keys">API keys</a><a href="#tools">Tools</a></nav>`,
    content: html`<h1>Dashboard</h1>
<form class="card" method="post" action="/dashboard">${csrfField(session)}
<p>Signed in as <strong>${session.email}</strong>.</p><button class="quiet" name="action" value="sign_out">Sign out</button></form>
${alert(plan === 'free' ? 'The Free plan has no API access: choose a plan before you use a key.' : undefined)}
${planCard(session, plan, parts)}
${keyCard(session, state.keys.of(session.email), made)}
<section class="card" id="tools" aria-labelledby="tools-title"><h2 id="tools-title">Connect your tools</h2>
<dl><dt>Model</dt><dd><code>${state.grantedModels[0] ?? ''}</code></dd>
<dt>Service address</dt><dd><code>${addresses.baseUrl}</code></dd>
<dt>Chat completions</dt><dd><code>${addresses.baseUrl}/v1</code></dd></dl></section>`,
  })
}

const planNames = { free: 'Free', pro: 'Pro', max: 'Max', omega: 'Omega' } as const

const planCard = (session: Session, plan: keyof typeof planNames, { slots }: Parts): Html =>
  html`<section class="card" id="plan" aria-labelledby="plan-title"><h2 id="plan-title">Plan</h2>
<p>You are on the <strong>${planNames[plan]}</strong> plan${
    plan === 'free' ? '' : `: ${slots.limits[plan]} requests at the same time`
  }.</p>
${
  plan === 'free'
    ? html`<form method="post" action="/dashboard">${csrfField(session)}<div class="row">
<button class="strong" name="action" value="choose_pro">Choose Pro</button>
<button name="action" value="choose_max">Choose Max</button></div></form>`
    : html``
}</section>`

const keyCard = (session: Session, keys: readonly Key[], made: NewKey | undefined): Html =>
  html`<section class="card" id="keys">
${
  made
    ? html`<p class="good" role="status">Your new key <strong>${made.name}</strong>, shown only now. Copy it:
<code id="new-key">${made.secret}</code></p>`
    : html``
}
<form method="post" action="/dashboard">${csrfField(session)}<div class="scroll"><table><caption>API keys</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Made</th><th scope="col">State</th></tr></thead>
<tbody>${keys.map(keyRow)}${keys.length === 0 ? html`<tr><td colspan="3">No keys yet.</td></tr>` : html``}</tbody>
</table></div></form>
<form method="post" action="/dashboard">${csrfField(session)}<p></p><label for="name">Name of a new key</label>
<input id="name" name="name" maxlength="60" autocomplete="off">
<div class="row"><button class="strong" name="action" value="generate">Generate key</button></div></form></section>`

const keyRow = (key: Key): Html =>
  html`<tr><td>${key.name}</td><td>${new Date(key.createdAt).toISOString().slice(0, 16).replace('T', ' ')}</td><td>${
    key.revokedAt === undefined
      ? html`<button class="quiet" name="revoke" value="${key.id}">Revoke ${key.name}</button>`
      : 'Revoked'
  }</td></tr>`
