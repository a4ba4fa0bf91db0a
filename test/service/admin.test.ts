// The administrator's page: Omega by hand, activation codes, and nobody else's business.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { bearer, chat, email, get, question } from './caller.ts'

const admin = 'root@example.com'

async function atAdminPage(siteUrl: string): Promise<Browser> {
  const browser = new Browser()
  await browser.signIn(siteUrl, admin, '/admin')
  return browser
}

test('[dashboard.administrator] assigns Omega with its number of requests', async () => {
  await using service = await startService({ admin })
  const key = service.state.issueKey(email, 'Test')
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 403, 'Free has no API')
  const browser = await atAdminPage(service.siteUrl)
  assert.equal(browser.page.url.pathname, '/admin', 'signing in leads where the user wanted to go')
  await browser.press(`Assign Omega to ${email}`, {}, { requests: '2' })
  assert.match(browser.page.words, /ada@example.com is on the Omega plan now, with 2 at the same time/)
  assert.match(browser.page.words, /Omega 0 of 2/)

  const gates = [service.replies.hold(), service.replies.hold()]
  const answers = gates.map(() => chat(service, key, question('Hold')))
  await Promise.all(gates.map(gate => gate.reached))
  assert.equal((await chat(service, key, question('One more'))).status, 429)
  await browser.open(`${service.siteUrl}/admin`)
  assert.match(browser.page.words, /ada@example.com Omega 2 of 2/)
  service.replies.releaseAll()
  assert.deepEqual(
    (await Promise.all(answers)).map(({ status }) => status),
    [200, 200],
  )

  for (const requests of ['0', '-1', '1001', 'many', '']) {
    await browser.press(`Change Omega of ${email}`, {}, { requests })
    assert.equal(browser.page.status, 400, requests)
    assert.match(browser.page.words, /a whole number from 1 to 1000/)
  }
  await browser.press(`Change Omega of ${email}`, {}, { email: 'stranger@example.com' })
  assert.match(browser.page.words, /There is no such account/)
  assert.deepEqual(service.state.accounts.of(email), { email, plan: 'omega', omegaRequests: 2 })
})

test('[dashboard.administrator] nobody else can', async () => {
  await using service = await startService({ admin })
  const browser = new Browser()
  await browser.signIn(service.siteUrl, email, '/admin')
  assert.equal(browser.page.status, 403)
  assert.match(browser.page.words, /Only for the administrator/)
  assert.match(browser.page.words, /signed in as ada@example.com/)
  await browser.follow('Back to the dashboard')
  assert.doesNotMatch(browser.page.words, /Administration/)

  // The mark of their own form does not open the other one.
  await browser.press('Generate key', {}, { action: 'assign_omega', email, requests: '5' }, '/admin')
  assert.equal(browser.page.status, 403)
  assert.equal(service.state.accounts.of(email).plan, 'free')
})

test('the seed user administers where nobody else is named', async () => {
  await using service = await startService({ seedUser: admin })
  const browser = await atAdminPage(service.siteUrl)
  assert.equal(browser.page.status, 200)
  await using other = await startService()
  const nobody = await atAdminPage(other.siteUrl)
  assert.equal(nobody.page.status, 403)
  await using named = await startService({ seedUser: email, admin })
  const seed = new Browser()
  await seed.signIn(named.siteUrl, email, '/admin')
  assert.equal(seed.page.status, 403)
})

test('[dashboard.redeem] codes are made, shown once, followed and withdrawn', async () => {
  await using service = await startService({ admin })
  const browser = await atAdminPage(service.siteUrl)
  const make = async (label: string) => {
    await browser.press('Make code', { 'Whom the code is for': label })
    return /<code class="secret" id="new-code">([^<]+)</.exec(browser.page.html)?.[1] ?? assert.fail()
  }
  const [forAda, forBob] = [await make('Ada'), await make('Bob')]
  assert.match(forAda, /^OMEGA(-[0-9A-HJKMNP-TV-Z]{5}){4}$/)
  await browser.open(`${service.siteUrl}/admin`)
  assert.equal(browser.page.html.includes(forAda), false, 'shown once')
  assert.equal(JSON.stringify(service.state.activationCodes.all).includes(forAda), false, 'kept as a hash')

  const ada = new Browser()
  await ada.signIn(service.siteUrl, email)
  await browser.press('Withdraw the code for Bob')
  assert.match(browser.page.words, /The code for Bob was withdrawn/)
  await ada.press('Redeem', { 'Activation code': forBob })
  assert.match(ada.page.words, /This code was withdrawn/)

  const [open] = service.state.activationCodes.all
  await ada.press('Redeem', { 'Activation code': forAda })
  await browser.open(`${service.siteUrl}/admin`)
  assert.match(browser.page.words, /Ada .* Used by ada@example.com/)
  await make('Carol')
  await make('Carol')
  assert.match(browser.page.words, /The code for Carol \(2\) was made/, 'names tell codes apart')
  await browser.press('Withdraw the code for Carol', {}, { withdraw: open?.id ?? '' })
  assert.equal(browser.page.status, 400)
  assert.match(browser.page.words, /has been used already/)
})
