// The README's picture of the local service's dashboard; a browser is enough for it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { type Service, startService } from '../localService/server.ts'

const folder = join(import.meta.dirname, '../../media/screenshots')
const email = 'ada@example.com'

test.use({ viewport: { width: 1000, height: 872 }, colorScheme: 'light' })

test('the dashboard', async ({ page }) => {
  await using service = await startService({ plan: 'pro', seedUser: email })
  await page.goto(`${service.siteUrl}/sign-in`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: `Sign in as ${email}` }).click()
  fillKeys(service)
  service.slots.take(service.state.accounts.of(email))
  await page.reload()
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, 'dashboard-light.png') })
})

/** At fixed times, so that the picture changes only when the page does. */
function fillKeys({ state, clock }: Service): void {
  const goTo = (month: number, day: number, hour: number, minute: number) =>
    clock.advance(Date.UTC(2030, month - 1, day, hour, minute) - clock.now())
  const make = (name: string, origin: 'registration' | 'browser' | 'dashboard') => {
    const key = state.keys.find(state.issueKey(email, name, origin))
    if (!key) throw new Error(`The key ${name} is gone.`)
    return key
  }
  goTo(1, 14, 9, 12)
  const old = make('Old laptop', 'dashboard')
  goTo(1, 16, 18, 40)
  const editor = make('Kourier on ada-desktop (kxfm)', 'registration')
  state.keys.revoke(old, clock.now())
  goTo(2, 2, 7, 55)
  make('Build server', 'dashboard')
  goTo(2, 3, 10, 31)
  state.keys.used(editor, clock.now())
}
