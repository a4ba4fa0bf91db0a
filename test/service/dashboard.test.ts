// Signing up and in, and the dashboard, through their own forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Service, startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { bearer, chatStream, email, get, poll, postForm, question, register } from './caller.ts'

async function signedIn(service: Service, who = email): Promise<Browser> {
  const browser = new Browser()
  await browser.signIn(service.siteUrl, who)
  return browser
}

const minutes = (count: number) => count * 60_000

test('[dashboard.signup] [dashboard.magic-link] an account is made by the link of the letter, on Free', async () => {
  await using service = await startService()
  const browser = new Browser()
  await browser.open(`${service.authUrl}/signup`)
  await browser.press('Create account', { Email: ' New@Example.com ' })
  assert.match(browser.page.words, /Check your email/)
  assert.match(browser.page.words, /local and sends no mail/)
  assert.equal(service.state.accounts.find('new@example.com'), undefined, 'no account before the link')
  await browser.follow('Sign in as new@example.com')
  assert.equal(browser.page.url.pathname, '/dashboard')
  assert.match(browser.page.words, /Signed in as new@example.com/)
  assert.match(browser.page.words, /The Free plan has this dashboard, but no API access/)
  await browser.press('Sign out')
  assert.equal(browser.hasButton('Sign in'), true)
  await browser.open(`${service.siteUrl}/dashboard`)
  assert.equal(browser.hasButton('Generate key'), false)
})

test('[dashboard.magic-link] a link is good once and for 15 minutes', async () => {
  await using service = await startService()
  const browser = new Browser()
  const ask = async () => {
    await browser.open(`${service.authUrl}/sign-in`)
    await browser.press('Sign in', { Email: email })
    return linkIn(browser)
  }
  const used = await ask()
  await browser.open(used)
  assert.match(browser.page.words, /Signed in as ada@example.com/)
  await browser.open(used)
  assert.equal(browser.page.status, 410)
  assert.match(browser.page.words, /this one has been used/)

  const late = await ask()
  service.clock.advance(minutes(15))
  await browser.open(late)
  assert.equal(browser.page.status, 410)
  assert.match(browser.page.words, /older than 15 minutes/)
  await browser.follow('Get a new link')
  assert.equal(browser.hasButton('Sign in'), true)

  await browser.open(`${service.authUrl}/sign-in/link?sign_in_token=guessed`)
  assert.equal(browser.page.status, 404)
  await browser.open(`${service.authUrl}/sign-in/link`)
  assert.equal(browser.page.status, 404)
})

test('[dashboard.session] [dashboard.magic-link] in another browser a link signs nobody in before they agree', async () => {
  await using service = await startService()
  const sender = new Browser()
  await sender.open(`${service.authUrl}/sign-in`)
  await sender.press('Sign in', { Email: 'mallory@example.com' })
  const link = linkIn(sender)
  const victim = await signedIn(service)
  await victim.open(link)
  assert.match(victim.page.words, /Sign in as mallory@example.com\?/)
  await victim.open(`${service.siteUrl}/dashboard`)
  assert.match(victim.page.words, /Signed in as ada@example.com/)
  await victim.open(link)
  await victim.press('Sign in as mallory@example.com')
  assert.match(victim.page.words, /Signed in as mallory@example.com/)
})

test('an email that is none is asked for again, and no link leads off the site', async () => {
  await using service = await startService()
  const browser = new Browser()
  await browser.open(`${service.authUrl}/sign-in`)
  await browser.press('Sign in', { Email: 'nobody' })
  assert.equal(browser.page.status, 400)
  assert.match(browser.page.words, /no email address/)
  await browser.press('Sign in', { Email: email }, { to: 'https://example.org/' })
  await browser.follow(`Sign in as ${email}`)
  assert.equal(browser.page.url.href, `${service.siteUrl}/dashboard`)
})

test('no secret of the pages stands in the call log', async () => {
  await using service = await startService()
  const browser = new Browser()
  await browser.open(`${service.authUrl}/sign-in`)
  await browser.press('Sign in', { Email: email })
  const token = new URL(linkIn(browser)).searchParams.get('sign_in_token') ?? assert.fail()
  await browser.follow(`Sign in as ${email}`)
  const code = service.state.activationCodes.issue('Ada')
  await browser.press('Redeem', { 'Activation code': code })
  const log = JSON.stringify(service.log.calls)
  assert.equal(log.includes(token), false)
  assert.equal(log.includes(code), false)
  assert.match(log, /sign_in_token=sha256:/)
})

test('[dashboard.plan] the plan, what it gives and what is in use now', async () => {
  await using service = await startService({ limits: { pro: 3 } })
  const browser = await signedIn(service)
  assert.match(browser.page.words, /Here a plan costs nothing/)
  await browser.press('Choose Pro')
  assert.match(browser.page.words, /You are on the Pro plan now/)
  assert.match(browser.page.words, /Up to 3 requests at the same time.*0 of 3 in use now/)

  const gate = service.replies.hold()
  const left = new AbortController()
  const key = service.state.issueKey(email, 'Test')
  const answer = await chatStream(service, key, question('Hold'), left.signal)
  await gate.reached
  await browser.open(`${service.siteUrl}/dashboard`)
  assert.match(browser.page.words, /1 of 3 in use now/)
  assert.doesNotMatch(browser.page.words, /You are on the Pro plan now/, 'what was done is said once')
  left.abort()
  await assert.rejects(answer.text())
  await service.log.until(call => call.isAborted)
  await browser.press('Choose Max')
  assert.match(browser.page.words, /Up to 7 requests at the same time.*0 of 7 in use now/)
})

test('[dashboard.redeem] a code gives Omega, once', async () => {
  await using service = await startService()
  const { activationCodes, accounts } = service.state
  const code = activationCodes.issue('Ada')
  const ada = await signedIn(service)
  await ada.press('Redeem', { 'Activation code': code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o') })
  assert.equal(ada.page.status, 200)
  assert.match(ada.page.words, /code was accepted: you are on the Omega plan now/)
  assert.equal(accounts.of(email).plan, 'omega')
  assert.equal(ada.hasButton('Choose Pro'), false, 'Omega is not given up by a button')

  const bob = await signedIn(service, 'bob@example.com')
  await bob.press('Redeem', { 'Activation code': code })
  assert.equal(bob.page.status, 400)
  assert.match(bob.page.words, /used already/)
  assert.equal(accounts.of('bob@example.com').plan, 'free')

  const second = activationCodes.issue('Bob')
  await ada.press('Redeem', { 'Activation code': second })
  assert.match(ada.page.words, /on Omega already. The code was not used/)
  await bob.press('Redeem', { 'Activation code': second })
  assert.equal(accounts.of('bob@example.com').plan, 'omega')
})

test('[dashboard.guess-limit] [dashboard.redeem] a wrong code is said, and guessing ends after five', async () => {
  await using service = await startService()
  const browser = await signedIn(service)
  for (let count = 1; count <= 5; count += 1) {
    await browser.press('Redeem', { 'Activation code': `OMEGA-0000${count}` })
    assert.equal(browser.page.status, 400)
    assert.match(browser.page.words, /There is no such code/)
  }
  const code = service.state.activationCodes.issue('Ada')
  await browser.press('Redeem', { 'Activation code': code })
  assert.equal(browser.page.status, 429)
  assert.match(browser.page.words, /Too many wrong codes were typed. Try again in 60 minutes/)
  assert.ok(browser.page.html.includes(`value="${code}"`), 'what was typed need not be typed again')
  service.clock.advance(minutes(59))
  await browser.press('Redeem', { 'Activation code': code })
  assert.match(browser.page.words, /Try again in a minute\./)
  service.clock.advance(minutes(1))
  await browser.press('Redeem', { 'Activation code': code })
  assert.equal(service.state.accounts.of(email).plan, 'omega')
})

test('[dashboard.generate] [key.revoke-dashboard] a key is made, shown once, and revoked', async () => {
  await using service = await startService({ plan: 'pro' })
  const browser = await signedIn(service)
  await browser.press('Generate key', { 'Name of a new key': 'Laptop' })
  const key = /<code class="secret" id="new-key">([^<]+)</.exec(browser.page.html)?.[1] ?? ''
  assert.match(key, /^sk-bf-/)
  const models = () => get(`${service.baseUrl}/v1/models`, bearer(key))
  assert.equal((await models()).status, 200)
  await browser.open(`${service.siteUrl}/dashboard`)
  assert.equal(browser.page.html.includes(key), false, 'shown once')

  await browser.press('Generate key', { 'Name of a new key': 'Laptop' })
  assert.match(browser.page.words, /The key Laptop \(2\) was made/, 'names tell keys apart')
  await browser.press('Revoke Laptop')
  assert.match(browser.page.words, /The key Laptop was revoked/)
  assert.equal(browser.hasButton('Revoke Laptop'), false)
  assert.equal(browser.hasButton('Revoke Laptop (2)'), true)
  assert.equal((await models()).status, 401)
  await browser.press('Generate key')
  assert.match(browser.page.words, /The key Key 3 was made/, 'a key without a name gets one')
})

test('[dashboard.keys] each key with its name, who made it, and when it was last used', async () => {
  await using service = await startService({ plan: 'pro' })
  const { claim, claim_token } = await register(service, { client_name: 'Editor <i>' })
  const browser = new Browser()
  await browser.open(claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  await browser.press('Approve', { Code: claim.user_code })
  const { json } = await poll(service, claim_token)
  service.state.issueKey(email, 'Desktop', 'browser')
  service.state.issueKey(email, 'Mine')
  await browser.open(`${service.siteUrl}/dashboard`)
  assert.deepEqual(
    rowsOf(browser.page.html).map(([name, maker, , used, state]) => [name, maker, used, state]),
    [
      ['Mine', 'Dashboard', 'Never', 'Active Revoke'],
      ['Desktop', 'Desktop, signed in with the browser', 'Never', 'Active Revoke'],
      ['Editor &lt;i&gt;', 'Editor &lt;i&gt;, signed in with a code', 'Never', 'Active Revoke'],
    ],
  )

  service.clock.advance(Date.UTC(2040, 0, 2, 3, 4) - service.clock.now())
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(json.access_token))).status, 200)
  await browser.press('Revoke Mine')
  assert.deepEqual(
    rowsOf(browser.page.html).map(([name, , , used, state]) => [name, used, state]),
    [
      ['Desktop', 'Never', 'Active Revoke'],
      ['Editor &lt;i&gt;', '2040-01-02 03:04', 'Active Revoke'],
      ['Mine', 'Never', 'Revoked 2040-01-02 03:04'],
    ],
  )
})

test('[dashboard.isolation] nobody sees or revokes a key of somebody else', async () => {
  await using service = await startService({ plan: 'pro' })
  const key = service.state.issueKey('bob@example.com', 'Of Bob')
  service.state.issueKey(email, 'Mine')
  const browser = await signedIn(service)
  assert.doesNotMatch(browser.page.words, /Of Bob/)
  const [bobs] = service.state.keys.of('bob@example.com')
  await browser.press('Revoke Mine', {}, { revoke: bobs?.id ?? '' })
  assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 200)
})

test('[dashboard.forms] forms without the mark of the page change nothing', async () => {
  await using service = await startService()
  const browser = await signedIn(service)
  await browser.press('Generate key', {}, { csrf: 'forged' })
  assert.equal(browser.page.status, 403)
  await browser.open(`${service.siteUrl}/dashboard`)
  await browser.press('Sign out', {}, { csrf: 'forged' })
  assert.equal(browser.page.status, 403)
  assert.equal(service.state.keys.of(email).length, 0)
  for (const path of ['/dashboard', '/admin', '/signup', '/sign-in', '/sign-in/link', '/sign-out'])
    assert.equal((await postForm(service.baseUrl + path, { action: 'generate', email })).status, 403, path)
})

test('[dashboard.tools] the addresses and the exact model string', async () => {
  await using service = await startService({ model: 'kourier-2-rev7' })
  const browser = await signedIn(service)
  assert.match(browser.page.html, /<nav aria-label="Dashboard">/)
  assert.match(browser.page.html, /<code id="model">kourier-2-rev7<\/code>/)
  for (const path of ['', '/v1', '/anthropic'])
    assert.ok(browser.page.html.includes(`<code>${service.baseUrl}${path}</code>`), path)
})

const linkIn = (browser: Browser) =>
  /href="([^"]*\/sign-in\/link\?[^"]*)"/.exec(browser.page.html)?.[1] ?? assert.fail('no link on the page')

/** The words of each cell of the keys. */
const rowsOf = (html: string): string[][] => {
  const body = /<table[^>]*aria-labelledby="keys-title">[\s\S]*?<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? ''
  return [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell
        .replace(/<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  )
}
