// The steps of a sign-in, as a person takes them in a window and on the service's page.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { secretName } from '../editor/secrets.ts'
import { answer, dialog, notification, pick, quickInputBox, runCommand, statusBarItem } from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { approveLast } from '../support/approveLast.ts'

export const email = 'ada@example.com'

/** Where the extension keeps its credential, and what a window needs to know of the last attempt. */
export const storedCredential = secretName('kourier.kourier', 'kourier.credential')
export const storedAttempt = secretName('kourier.kourier', 'kourier.lastSignIn')

/** From the palette to the code: answers the question for the email and the consent, and returns the code as shown. */
export async function askForCode(page: Page): Promise<string> {
  await register(page)
  return shownCode(page)
}

/** The same, without waiting for the code. */
export async function register(page: Page): Promise<void> {
  await runCommand(page, 'Kourier: Sign In')
  await giveEmail(page)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
}

/** The editor may know an address already (for example the machine's own git) and then offers a list. */
export async function giveEmail(page: Page): Promise<void> {
  await quickInputBox(page).waitFor()
  const other = page.getByRole('option', { name: /Type another address/ })
  if (await other.isVisible()) await pick(page, 'Type another address…')
  await answer(page, email)
  await dialog(page).waitFor()
}

export async function shownCode(page: Page): Promise<string> {
  const text = await notification(page, /enter code/).innerText()
  const code = /enter code ([\d ]+) at/.exec(text)?.[1]
  assert.ok(code, `a code in: ${text}`)
  return code
}

/** Follows Open Browser to the claim page in a second tab and signs in there. */
export async function openClaimPage(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await notification(page, /enter code/)
    .getByRole('link', { name: 'Open Browser' })
    .click()
  const claim = await opened
  await claim.getByRole('textbox', { name: 'Email' }).fill(email)
  await claim.getByRole('button', { name: 'Sign in' }).click()
  return claim
}

/** As if the user had approved the newest sign-in on the service's page. */
export function approve(service: Service): void {
  approveLast(service, email)
}

/** Waits until the window is signed in; long enough for one that has to load anew first. */
export async function isSignedIn(page: Page): Promise<void> {
  await statusBarItem(page, /Signed in to/).waitFor({ timeout: 60_000 })
}

/** The names of the keys that still work. */
export function liveKeys({ state }: Service): readonly string[] {
  return state.keys.all.filter(({ revokedAt }) => revokedAt === undefined).map(({ name }) => name)
}

export function revokeKeys({ state, clock }: Service, but?: unknown): void {
  for (const key of state.keys.all) if (key !== but) state.keys.revoke(key, clock.now())
}
