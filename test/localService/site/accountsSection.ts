// All accounts with their plans, and Omega with a number of requests for each.
import { html } from 'hono/html'
import type { Account } from '../accounts.ts'
import { type Html, problemLine } from '../page.ts'
import { csrfField, doneLine, type Visit } from '../pageVisit.ts'
import { planNames } from './planSection.ts'
import { type Row, table } from './table.ts'

export const accountsSection = (visit: Visit, problem: string | undefined): Html =>
  html`<section class="card" id="accounts" aria-labelledby="accounts-title"><h2 id="accounts-title">Accounts</h2>
${doneLine(visit, 'accounts')}${problemLine(problem)}
${table({
  namedBy: 'accounts-title',
  columns: ['Email', 'Plan', 'Requests now', 'Keys', 'Omega, with so many requests at a time'],
  rows: visit.parts.state.accounts.all.map(account => accountRow(visit, account)),
  empty: 'No accounts yet.',
})}</section>`

function accountRow(visit: Visit, account: Account): Row {
  const { email, plan } = account
  const { slots, state } = visit.parts
  const working = state.keys.of(email).filter(({ revokedAt }) => revokedAt === undefined)
  const requests = `${slots.openOf(email)} of ${slots.limitOf(account)}`
  return { cells: [email, planNames[plan], requests, String(working.length), assignForm(visit, account)] }
}

function assignForm(visit: Visit, { email, plan, omegaRequests }: Account): Html {
  const requests = omegaRequests ?? visit.parts.slots.limits.omega
  const button = plan === 'omega' ? 'Change' : 'Assign Omega'
  const name = plan === 'omega' ? `Change Omega of ${email}` : `Assign Omega to ${email}`
  return html`<form class="cell" method="post" action="/admin">${csrfField(visit)}
<input type="hidden" name="email" value="${email}">
<input class="number" name="requests" inputmode="numeric" value="${requests}" maxlength="4" required
 aria-label="Requests at a time for ${email}">
<button class="quiet" name="action" value="assign_omega" aria-label="${name}">${button}</button></form>`
}
