// The page where the user signs in, reads who asks, types the code and decides.
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { alert, type Html, notice, page } from '../page.ts'
import { csrfField, readForm, sessionOf, signIn, signInPage, signOut, withCookies } from '../pageSession.ts'
import type { Env, Parts } from '../parts.ts'
import type { Attempt, DeadLink, Decision, Registration } from '../registrations.ts'
import type { Session } from '../sessions.ts'

export function claimPage(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/claim', c => {
      const link = findLink(c.req.query('claim_attempt_token'), parts)
      return withCookies(c, link ? show(link, sessionOf(c, parts), parts) : unknownLink())
    })
    .post('/claim', c => {
      const read = readForm(c, parts)
      if (read instanceof Promise) return read
      const link = findLink(read.form.get('claim_attempt_token') ?? undefined, parts)
      return withCookies(c, link ? act(c, parts, link, read.form, read.session) : unknownLink())
    })
}

interface Link {
  readonly token: string
  readonly registration: Registration
  readonly attempt: Attempt
}

function findLink(token: string | undefined, { state }: Parts): Link | undefined {
  const found = token === undefined ? undefined : state.registrations.byAttemptToken(token)
  return token === undefined || !found ? undefined : { token, ...found }
}

function act(c: Context<Env>, parts: Parts, link: Link, form: URLSearchParams, session: Session): Promise<Response> {
  const { registrations, accounts } = parts.state
  const { registration, attempt } = link
  const action = form.get('action')
  if (action === 'sign_in') {
    const signedIn = signIn(c, parts, session, form)
    return signedIn ? backToPage(link) : askEmail(link, session, 'This is not an email address.')
  }
  if (action === 'sign_out') {
    signOut(c, parts, session)
    return backToPage(link)
  }
  if (session.email === undefined) return show(link, session, parts)
  if (action === 'choose_pro' || action === 'choose_max') {
    accounts.of(session.email).plan = action === 'choose_pro' ? 'pro' : 'max'
    return backToPage(link)
  }
  if (action === 'deny')
    return decided(registrations.deny(registration, attempt, session.email), 'deny', link, session, parts)
  // The page offers no code without a plan; a form made by hand comes back to the same page.
  if (action !== 'approve' || accounts.of(session.email).plan === 'free') return show(link, session, parts)
  const decision = registrations.approve(registration, attempt, session.email, form.get('code') ?? '')
  return decided(decision, 'approve', link, session, parts)
}

function decided(decision: Decision, what: 'approve' | 'deny', link: Link, session: Session, parts: Parts) {
  if (decision === 'wrong email') return show(link, session, parts)
  if (decision === 'wrong code')
    return askCode(link, session, parts, 'This is not the code that the editor shows. Type it again.')
  if (decision !== 'done') return deadLink(decision)
  return what === 'approve'
    ? notice('Approved', 'You are done here. Close this page and return to the editor, which is being signed in now.')
    : notice('Denied', 'Nothing was given away. You can close this page and return to the editor.')
}

/** After a form, the page is asked for anew, so that reloading it sends nothing twice. */
const backToPage = ({ token }: Link) =>
  Promise.resolve(
    new Response(null, {
      status: 303,
      headers: { location: `/claim?claim_attempt_token=${encodeURIComponent(token)}` },
    }),
  )

function show(link: Link, session: Session, parts: Parts): Promise<Response> {
  const state = parts.state.registrations.linkState(link.registration, link.attempt)
  if (state !== 'open') return deadLink(state)
  if (session.email === undefined) return askEmail(link, session)
  if (session.email !== link.registration.email) return otherEmail(link, session, session.email)
  return parts.state.accounts.of(session.email).plan === 'free'
    ? askPlan(link, session, parts)
    : askCode(link, session, parts)
}

const sentences: Readonly<Record<DeadLink, string>> = {
  used: 'This request has been decided already. Nothing more is to be done here.',
  replaced: 'The editor has asked for a new code since. Open the newest link from there.',
  blocked: 'A wrong code was typed five times, so this code is no longer good. Get a new code in the editor.',
  'code expired': 'This code is older than ten minutes and no longer good. Get a new code in the editor.',
  'registration expired': 'This request is older than an hour and no longer good. Sign in again in the editor.',
}

const deadLink = (state: DeadLink) => notice('This link is no longer good', sentences[state], 410)

const unknownLink = () => notice('This link is not known', 'Open the link that the editor shows, in full.', 404)

const hidden = ({ token }: Link): Html => html`<input type="hidden" name="claim_attempt_token" value="${token}">`

const askEmail = (link: Link, session: Session, problem?: string) =>
  signInPage({
    title: 'Sign in',
    why: 'Sign in with the email address that you gave in the editor.',
    action: '/claim',
    hidden: hidden(link),
    session,
    problem,
  })

const form = (link: Link, session: Session, content: Html): Html =>
  html`<form method="post" action="/claim">${csrfField(session)}${hidden(link)}${content}</form>`

const otherEmail = (link: Link, session: Session, email: string) =>
  page({
    title: 'Another email address',
    status: 403,
    content: html`<div class="card"><h1>Another email address</h1>
<p>You are signed in as <strong>${email}</strong>, but the request was made for another email address.
Sign in with the one that you gave in the editor.</p>
${form(link, session, html`<div class="row"><button class="strong" name="action" value="sign_out">Use another email</button></div>`)}
</div>`,
  })

const who = ({ registration }: Link, { addresses }: Parts): Html =>
  html`<dl>
<dt>Who asks</dt><dd><strong>${registration.clientName ?? 'An agent without a name'}</strong></dd>
<dt>For whom</dt><dd>${registration.email}</dd>
<dt>For what</dt><dd>Asking the model (inference) with your plan, until you revoke the key</dd>
<dt>Where</dt><dd>${new URL(addresses.baseUrl).host}</dd>
</dl>`

const askPlan = (link: Link, session: Session, parts: Parts) =>
  page({
    title: 'Choose a plan',
    content: html`<div class="card"><h1>Choose a plan first</h1>
${who(link, parts)}
<p>You are on the Free plan, which has no API access. Here a plan costs nothing.</p>
${form(
  link,
  session,
  html`<div class="row"><button class="strong" name="action" value="choose_pro">Choose Pro</button>
<button name="action" value="choose_max">Choose Max</button>
<button name="action" value="deny">Deny</button></div>`,
)}</div>`,
  })

const askCode = (link: Link, session: Session, parts: Parts, problem?: string) =>
  page({
    title: 'Approve',
    status: problem === undefined ? 200 : 400,
    content: html`<div class="card"><h1>Let this program use your plan?</h1>
${who(link, parts)}
${alert(problem)}
${form(
  link,
  session,
  html`<label for="code">Code</label>
<input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus
 aria-describedby="code-help">
<p class="soft" id="code-help">Type the code that the editor shows. Approve only what you have started yourself.</p>
<div class="row"><button class="strong" name="action" value="approve">Approve</button>
<button name="action" value="deny" formnovalidate>Deny</button></div>`,
)}</div>`,
  })
