// A real browser at the pages: it holds the way back against their policy and lays them out, as no client of ours does.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Page, test } from '@playwright/test'
import { startService } from '../localService/server.ts'
import { postForm } from '../service/caller.ts'
import { bringChecker, violations } from '../support/accessibility.ts'
import { peer } from '../support/wire.ts'

const verifier = 'v'.repeat(43)

async function seriousFindings(page: Page): Promise<unknown[]> {
  await bringChecker(page)
  return violations(page)
}

test.describe('Chromium', () => {
  test('[authorize.page] [authorize.redirect] goes from the page back to the program, and the code gives a key', async ({
    page,
  }) => {
    await using service = await startService()
    await using program = await peer((_, outgoing) => outgoing.end('Return to the editor.'))
    await page.emulateMedia({ colorScheme: 'dark' })
    const redirectUri = `${program.origin}/callback`
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'kourier-vscode',
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'abc',
    })
    await page.goto(`${service.authUrl}/oauth2/authorize?${query}`)
    assert.deepEqual(await seriousFindings(page), [])
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Choose Pro' }).waitFor()
    assert.deepEqual(await seriousFindings(page), [])
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    assert.deepEqual(await seriousFindings(page), [])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${redirectUri}?**`)
    assert.equal(await page.getByText('Return to the editor.').isVisible(), true)

    const back = new URL(page.url()).searchParams
    assert.equal(back.get('state'), 'abc')
    const { status } = await postForm(`${service.baseUrl}/oauth2/token`, {
      grant_type: 'authorization_code',
      client_id: 'kourier-vscode',
      redirect_uri: redirectUri,
      code: back.get('code') ?? '',
      code_verifier: verifier,
    })
    assert.equal(status, 200)
  })

  test('has no page that is wider than a narrow window, however long the address of the account', async ({ page }) => {
    await using service = await startService()
    await page.setViewportSize({ width: 320, height: 640 })
    const overhang = () => page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth')
    const email = `${'ada'.repeat(16)}@${'long'.repeat(12)}.example.com`
    await page.goto(`${service.siteUrl}/sign-in`)
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const letter = page.getByRole('link', { name: `Sign in as ${email}` })
    await letter.waitFor()
    assert.equal(await overhang(), 0)
    await letter.click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.equal(await overhang(), 0)
    await page.goto(`${service.siteUrl}/admin`)
    await page.getByRole('heading', { name: 'Only for the administrator' }).waitFor()
    assert.equal(await overhang(), 0)
  })
})
