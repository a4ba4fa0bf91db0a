// The page where the user signs in, reads who asks, types the code and decides.
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { type Html, notice, page, problemLine } from '../page.ts'
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
import type { Attempt, DeadLink, Decision, Registration } from '../registrations.ts'

export function claimPage(parts: Parts): Hono<Env> {
  return new Hono<Env>()
    .get('/claim', c => {
      const link = findLink(new URL(c.req.url).searchParams, parts)
      return link ? show(link, visitOf(c, parts)) : unknownLink(c)
    })
    .post('/claim', c => {
      const visit = formVisitOf(c, parts)
      if (!visit) return staleForm(c)
      const link = findLink(visit.form, parts)
      return link ? act(link, visit) : unknownLink(c)
    })
}

interface Link {
  readonly token: string
  readonly registration: Registration
  readonly attempt: Attempt
  /** Where the link brought the code with it (RFC 8628 3.3.1). */
  readonly userCode: string | undefined
}

function findLink(sent: URLSearchParams, { state }: Parts): Link | undefined {
  const token = sent.get('claim_attempt_token') ?? ''
  const found = state.registrations.byAttemptToken(token)
  return found && { token, ...found, userCode: sent.get('user_code') ?? undefined }
}

function act(link: Link, visit: FormVisit): Response | Promise<Response> {
  const { action, form, session } = visit
  const { registrations, accounts } = visit.parts.state
  if (action === 'sign_in')
    return signIn(visit) ? again(link, visit) : askEmail(link, visit, 'This is no email address.')
  if (action === 'sign_out') {
    signOut(visit)
    return again(link, visit)
  }
  if (session.email === undefined) return show(link, visit)
  const account = accounts.of(session.email)
  const plan = planOfButton(action)
  if (plan) {
    account.plan = plan
    return again(link, visit)
  }
  const { registration, attempt } = link
  if (action === 'deny') return decided(registrations.deny(registration, attempt, account.email), 'denied', link, visit)
  // The page shows no code box without a plan; a form made by hand comes back to the same page.
  if (action !== 'approve' || account.plan === 'free') return show(link, visit)
  const code = form.get('code') ?? ''
  return decided(registrations.approve(registration, attempt, account.email, code), 'approved', link, visit)
}

/** After a form the page is asked for anew, so that reloading it sends nothing twice. */
const again = (link: Link, { c }: Visit) => c.redirect(`/claim?${new URLSearchParams(parametersOf(link))}`, 303)

const parametersOf = ({ token, userCode }: Link): Record<string, string> => ({
  claim_attempt_token: token,
  ...(userCode === undefined ? {} : { user_code: userCode }),
})

function decided(decision: Decision, what: 'approved' | 'denied', link: Link, visit: Visit): Promise<Response> {
  if (decision === 'wrong email') return show(link, visit)
  if (decision === 'wrong code')
    return askCode(link, visit, 'This is not the code that the editor shows. Type it again.')
  if (decision !== 'done') return deadLink(visit.c, decision)
  return what === 'approved'
    ? notice(
        visit.c,
        'Approved',
        'You are done here. Close this page and return to the editor, which is signing in now.',
      )
    : notice(visit.c, 'Denied', 'No access was given. You can close this page and return to the editor.')
}

function show(link: Link, visit: Visit): Promise<Response> {
  const { email } = visit.session
  const { registrations, accounts } = visit.parts.state
  const state = registrations.linkState(link.registration, link.attempt)
  if (state !== 'open') return deadLink(visit.c, state)
  if (email === undefined) return askEmail(link, visit)
  if (email !== link.registration.email) return otherEmail(link, visit, email)
  return accounts.of(email).plan === 'free' ? askPlan(link, visit) : askCode(link, visit)
}

const sentences: Readonly<Record<DeadLink, string>> = {
  used: 'This request has been decided already. Nothing more is to be done here.',
  replaced: 'The editor has asked for a new code since. Open the newest link from there.',
  blocked: 'A wrong code was typed five times, so this code is no longer good. Get a new code in the editor.',
  'code expired': 'This code is older than ten minutes and no longer good. Get a new code in the editor.',
  'registration expired': 'This request is older than an hour and no longer good. Sign in again in the editor.',
}

const deadLink = (c: Context<Env>, state: DeadLink) => notice(c, 'This link is no longer good', sentences[state], 410)

const unknownLink = (c: Context<Env>) =>
  notice(c, 'This link is not known', 'Open the link that the editor shows, in full.', 404)

const hidden = (link: Link): Html =>
  html`${Object.entries(parametersOf(link)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

const askEmail = (link: Link, visit: Visit, problem?: string) =>
  signInPage(visit, {
    title: 'Sign in',
    why: 'Sign in with the email address that you gave in the editor.',
    button: 'Sign in',
    action: '/claim',
    hidden: hidden(link),
    problem,
  })

const form = (link: Link, visit: Visit, content: Html): Html =>
  html`<form method="post" action="/claim">${csrfField(visit)}${hidden(link)}${content}</form>`

const otherEmail = (link: Link, visit: Visit, email: string) =>
  page(visit.c, {
    title: 'Another email address',
    status: 403,
    content: html`<div class="card"><h1>Another email address</h1>
<p>You are signed in as <strong>${email}</strong>, but the request was made for another email address.
Sign in with the one that you gave in the editor.</p>
${form(
  link,
  visit,
  html`<div class="row"><button class="strong" name="action" value="sign_out">Use another email</button></div>`,
)}</div>`,
  })

const who = ({ registration }: Link, { parts }: Visit): Html =>
  html`<dl>
<dt>Who asks</dt><dd><strong>${registration.clientName ?? 'A program that gave no name'}</strong></dd>
<dt>For whom</dt><dd>${registration.email}</dd>
<dt>For what</dt><dd>To ask the model (inference) with your plan, until you revoke the key</dd>
<dt>Where</dt><dd>${new URL(parts.addresses.baseUrl).host}</dd>
</dl>`

const askPlan = (link: Link, visit: Visit) =>
  page(visit.c, {
    title: 'Choose a plan',
    content: html`<div class="card"><h1>Choose a plan first</h1>
${who(link, visit)}
<p>You are on the Free plan, which has no API access. Here a plan costs nothing.</p>
${form(
  link,
  visit,
  html`<div class="row">${planButtons}
<button name="action" value="deny">Deny</button></div>`,
)}</div>`,
  })

const askCode = (link: Link, visit: Visit, problem?: string) =>
  page(visit.c, {
    title: 'Approve',
    status: problem === undefined ? 200 : 400,
    content: html`<div class="card"><h1>Let this program use your plan?</h1>
${who(link, visit)}
${problemLine(problem)}
${form(
  link,
  visit,
  html`<label for="code">Code</label>
<input class="code" id="code" name="code" value="${link.userCode ?? ''}" inputmode="numeric" autocomplete="one-time-code" required autofocus
 aria-describedby="code-help">
<p class="soft" id="code-help">Type the code that the editor shows. Approve only what you have started yourself.</p>
<div class="row"><button class="strong" name="action" value="approve">Approve</button>
<button name="action" value="deny" formnovalidate>Deny</button></div>`,
)}</div>`,
  })
