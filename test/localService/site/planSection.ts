// The plan of an account: its name, how many requests it gives, how many run now, and the ways to another plan.
import { html } from 'hono/html'
import type { Account, Plan } from '../accounts.ts'
import { type Html, problemLine } from '../page.ts'
import { csrfField, doneLine, typedIn, type Visit } from '../pageVisit.ts'

export const planNames: Readonly<Record<Plan, string>> = { free: 'Free', pro: 'Pro', max: 'Max', omega: 'Omega' }

export const planSection = (visit: Visit, account: Account, problem: string | undefined): Html =>
  html`<section class="card" id="plan" aria-labelledby="plan-title"><h2 id="plan-title">Plan</h2>
${doneLine(visit, 'plan')}${problemLine(problem)}
<div class="columns"><div>
<p class="big">${planNames[account.plan]}</p>
${account.plan === 'free' ? freeLines : requestLines(visit, account)}
${account.plan === 'omega' ? '' : choice(visit, account)}</div>
${activation(visit)}</div></section>`

const freeLines = html`<p>The Free plan has this dashboard, but no API access.</p>`

function requestLines({ parts: { slots } }: Visit, account: Account): Html {
  const limit = slots.limitOf(account)
  const open = slots.openOf(account.email)
  const most = limit === 1 ? '1 request' : `${limit} requests`
  return html`<p>Up to ${most} at the same time, over all keys and tools; ${open} of ${limit} in use now.</p>
${limit <= mostDrawn ? slotRow(open, limit) : ''}`
}

/** More than that is a row nobody counts. */
const mostDrawn = 32

const slotRow = (open: number, limit: number): Html =>
  html`<div class="slots" aria-hidden="true">${Array.from({ length: limit }, (_, at) =>
    at < open ? html`<i class="busy"></i>` : html`<i></i>`,
  )}</div>`

const choice = (visit: Visit, { plan }: Account): Html =>
  html`<form method="post" action="/dashboard">${csrfField(visit)}
<p class="soft">${plan === 'free' ? 'Choose a plan to use the API.' : 'You can change it.'} Here a plan costs nothing.</p>
<div class="row">${(['pro', 'max'] as const).filter(other => other !== plan).map(planButton)}</div></form>`

const planButton = (plan: 'pro' | 'max'): Html =>
  html`<button name="action" value="choose_${plan}">Choose ${planNames[plan]}</button>`

const activation = (visit: Visit): Html =>
  html`<form method="post" action="/dashboard">${csrfField(visit)}
<label for="activation-code">Activation code</label>
<input id="activation-code" name="activation_code" value="${typedIn(visit, 'activation_code')}" autocomplete="off" autocapitalize="characters" spellcheck="false"
 maxlength="80" required aria-describedby="activation-help">
<p class="soft" id="activation-help">With a code from your administrator you get the Omega plan.</p>
<div class="row"><button name="action" value="redeem">Redeem</button></div></form>`
