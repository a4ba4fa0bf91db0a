// Axe, the accessibility checker, at every page of the local service in every state, in Chromium.
import assert from 'node:assert/strict'
import { type Page, test } from '@playwright/test'
import { type Service, startService } from '../localService/server.ts'
import { bringChecker, violations } from '../support/accessibility.ts'

const email = 'ada@example.com'
const otherUser = 'bob@example.com'

const desktop = { width: 1280, height: 720 }
const phone = { width: 360, height: 740 }

interface Visit {
  readonly page: Page
  readonly service: Service
}

type Steps = Readonly<Record<string, (visit: Visit) => Promise<unknown>>>

const fill = ({ page }: Visit, name: string, text: string) => page.getByRole('textbox', { name }).fill(text)
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click()

const signInHere = async (visit: Visit, who = email) => {
  await fill(visit, 'Email', who)
  await press(visit, 'Sign in')
}

const signIn = async (visit: Visit, path = '/dashboard', who = email) => {
  await visit.page.goto(visit.service.siteUrl + path)
  await signInHere(visit, who)
  await visit.page.getByRole('link', { name: `Sign in as ${who}` }).click()
}

function openClaim({ page, service }: Visit) {
  const opened = service.state.registrations.open(email, 'Kourier on a laptop (kxfm)')
  return { ...opened, arrived: page.goto(`${service.authUrl}/claim?claim_attempt_token=${opened.attemptToken}`) }
}

const atCode = async (visit: Visit) => {
  visit.service.state.accounts.of(email).plan = 'pro'
  const { registration, arrived } = openClaim(visit)
  await arrived
  await signInHere(visit)
  await visit.page.getByRole('textbox', { name: 'Code' }).waitFor()
  return registration
}

const claimPage: Steps = {
  'an unknown link': ({ page, service }) => page.goto(`${service.authUrl}/claim`),
  'signing in': visit => openClaim(visit).arrived,
  'no email': async visit => {
    await openClaim(visit).arrived
    await signInHere(visit, 'nobody@')
  },
  'another email': async visit => {
    await openClaim(visit).arrived
    await signInHere(visit, otherUser)
  },
  'no plan': async visit => {
    visit.service.state.accounts.of(email).plan = 'free'
    await openClaim(visit).arrived
    await signInHere(visit)
  },
  'the code': atCode,
  'a wrong code': async visit => {
    const { attempt } = await atCode(visit)
    await fill(visit, 'Code', attempt.code === '00000000' ? '11111111' : '00000000')
    await press(visit, 'Approve')
  },
  approved: async visit => {
    const { attempt } = await atCode(visit)
    await fill(visit, 'Code', attempt.code)
    await press(visit, 'Approve')
  },
  denied: async visit => {
    await atCode(visit)
    await press(visit, 'Deny')
  },
  'a dead link': async visit => {
    const registration = await atCode(visit)
    visit.service.state.registrations.renew(registration)
    await visit.page.reload()
  },
}

function openAuthorize({ page, service }: Visit, changed: Readonly<Record<string, string>> = {}) {
  const asked = {
    response_type: 'code',
    client_id: 'kourier-vscode',
    redirect_uri: 'http://127.0.0.1:9/callback',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'x',
    ...changed,
  }
  return page.goto(`${service.authUrl}/oauth2/authorize?${new URLSearchParams(asked)}`)
}

const authorizePage: Steps = {
  'an unknown program': visit => openAuthorize(visit, { client_id: 'nobody' }),
  'signing in': visit => openAuthorize(visit),
  'no plan': async visit => {
    visit.service.state.accounts.of(email).plan = 'free'
    await openAuthorize(visit)
    await signInHere(visit)
  },
  consent: async visit => {
    visit.service.state.accounts.of(email).plan = 'max'
    await openAuthorize(visit)
    await signInHere(visit)
  },
}

const askForLink = async (visit: Visit) => {
  await visit.page.goto(`${visit.service.siteUrl}/sign-in`)
  await signInHere(visit)
}

const linkFor = ({ service }: Visit, who: string) =>
  `${service.authUrl}/sign-in/link?sign_in_token=${service.state.signInLinks.open(who, '/dashboard', 'another browser')}`

const signInPages: Steps = {
  'an account': ({ page, service }) => page.goto(`${service.siteUrl}/signup`),
  'signing in': ({ page, service }) => page.goto(`${service.siteUrl}/sign-in`),
  'no email': async visit => {
    await visit.page.goto(`${visit.service.siteUrl}/sign-in`)
    await signInHere(visit, 'nobody@')
  },
  'the link': askForLink,
  'a link of another browser': visit => visit.page.goto(linkFor(visit, otherUser)),
  'a used link': async visit => {
    await askForLink(visit)
    const link = await visit.page.getByRole('link', { name: /^Sign in as/ }).getAttribute('href')
    await visit.page.goto(link ?? '')
    await visit.page.goto(link ?? '')
  },
}

const withPlan = (plan: 'free' | 'pro' | 'omega') => async (visit: Visit) => {
  visit.service.state.accounts.of(email).plan = plan
  await signIn(visit)
}

const withKeys = async (visit: Visit) => {
  const { state, clock, slots } = visit.service
  const [first = '', second = ''] = ['Editor', 'Old laptop'].map(name => state.issueKey(email, name, 'registration'))
  const [used, old] = [state.keys.find(first), state.keys.find(second)]
  if (used) state.keys.used(used, clock.now())
  if (old) state.keys.revoke(old, clock.now())
  await withPlan('pro')(visit)
  const release = slots.take(state.accounts.of(email))
  await visit.page.goto(`${visit.service.siteUrl}/dashboard`)
  release?.()
}

const dashboard: Steps = {
  free: withPlan('free'),
  omega: withPlan('omega'),
  'keys and a request under way': withKeys,
  'every snippet': async visit => {
    await withPlan('pro')(visit)
    for (const summary of await visit.page.locator('summary').all()) await summary.click()
  },
  'a new key': async visit => {
    await withPlan('pro')(visit)
    await press(visit, 'Generate key')
  },
  'a revoked key': async visit => {
    visit.service.state.issueKey(email, 'Laptop')
    await withPlan('pro')(visit)
    await visit.page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click()
  },
  'a wrong activation code': async visit => {
    await withPlan('free')(visit)
    await fill(visit, 'Activation code', 'OMEGA-1')
    await press(visit, 'Redeem')
  },
}

const adminPage: Steps = {
  refused: visit => signIn(visit, '/admin', otherUser),
  accounts: visit => signIn(visit, '/admin'),
  'Omega assigned': async visit => {
    await signIn(visit, '/admin')
    await visit.page
      .getByRole('button', { name: / of | to / })
      .first()
      .click()
  },
  'no number': async visit => {
    await signIn(visit, '/admin')
    await fill(visit, `Requests at a time for ${email}`, 'no')
    await visit.page
      .getByRole('button', { name: / of | to / })
      .first()
      .click()
  },
  'a new code': async visit => {
    await signIn(visit, '/admin')
    await press(visit, 'Make code')
  },
  'a withdrawn code': async visit => {
    visit.service.state.activationCodes.issue('Grace')
    await signIn(visit, '/admin')
    await visit.page.getByRole('button', { name: 'Withdraw the code for Grace' }).first().click()
  },
}

const pages = {
  'the claim page': claimPage,
  'the authorize page': authorizePage,
  'signing up and in': signInPages,
  'the dashboard': dashboard,
  "the administrator's page": adminPage,
}

test.describe('axe', () => {
  test.use({ colorScheme: 'light', actionTimeout: 10_000 })

  for (const [name, steps] of Object.entries(pages))
    test(`[dashboard.accessible] finds nothing at ${name}`, async ({ page }) => {
      await using service = await startService({ admin: email })
      // One page for all states: a new one costs more than the look at it.
      for (const [state, bring] of Object.entries(steps)) {
        await page.context().clearCookies()
        await page.emulateMedia({ colorScheme: 'light' })
        await page.setViewportSize(desktop)
        await bring({ page, service })
        await page.getByRole('heading', { level: 1 }).waitFor()
        await bringChecker(page)
        assert.deepEqual(await violations(page), [], state)
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await violations(page, ['color-contrast']), [], `${state}, dark`)
        await page.setViewportSize(phone)
        assert.equal(await isTooWide(page), false, `${state} has to be scrolled sideways on a phone`)
        // There the rows of a table stand one below the other.
        if ((await page.getByRole('table').count()) > 0)
          assert.deepEqual(await violations(page), [], `${state}, on a phone`)
      }
    })

  test('a keyboard is enough, from signing up to a key', async ({ page }) => {
    await using service = await startService()
    await page.goto(`${service.siteUrl}/signup`)
    // The page gives the keyboard to the box a moment after it has loaded.
    await page
      .locator(':focus')
      .and(page.getByRole('textbox', { name: 'Email' }))
      .waitFor()
    await page.keyboard.type('keys@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await tabTo(page, 'Sign in as keys@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await tabTo(page, 'Choose Pro')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('You are on the Pro plan now.').waitFor()
    await tabTo(page, 'Name of a new key')
    await page.keyboard.type('Laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('sk-bf-').waitFor()
    await tabTo(page, 'Revoke Laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('The key Laptop was revoked').waitFor()
  })
})

const isTooWide = (page: Page) =>
  page.evaluate<boolean>('document.scrollingElement.scrollWidth > document.documentElement.clientWidth')

/** Presses Tab until what is focused has the name; nothing is more than a page away. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.locator(':focus').and(page.getByRole('button', { name, exact: true }))
  const link = page.locator(':focus').and(page.getByRole('link', { name, exact: true }))
  const box = page.locator(':focus').and(page.getByRole('textbox', { name, exact: true }))
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab')
    if ((await wanted.or(link).or(box).count()) > 0) return
  }
  assert.fail(`The keyboard does not reach '${name}'.`)
}
