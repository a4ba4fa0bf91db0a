// The account in two windows of one person.
import assert from 'node:assert/strict'
import { ask, dialog, message, notification, openChat, runCommand, statusBarItem } from '../editor/workbench.ts'
import { test } from './fixtures.ts'
import { approve, askForCode, email, isSignedIn, liveKeys } from './signInSteps.ts'

test.describe('two windows of one person', () => {
  test('[R39] [R40] tells the other window of a sign-in and a sign-out, and two at once end with one key', async ({
    service,
    windows,
  }) => {
    const a = await windows.open({ isSpent: true })
    const b = await windows.open()
    await askForCode(a)
    approve(service)
    await isSignedIn(a)
    await notification(b, /^You signed in to \S+ in another window\. Reload this window to use it here\.$/)
      .getByRole('button', { name: 'Reload Window' })
      .click()
    await isSignedIn(b)
    await runCommand(b, 'Kourier: Sign Out')
    await dialog(b).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(a, /^You signed out of .* in another window\.$/).waitFor()
    await statusBarItem(a, /You are signed out/).waitFor()
    await notification(b, /the key was revoked/).waitFor()
    assert.deepEqual(liveKeys(service), [])

    await askForCode(a)
    await askForCode(b)
    const { registrations } = service.state
    for (const one of registrations.all.slice(-2)) registrations.approve(one, one.attempt, email, one.attempt.code)
    const [first, second] = await Promise.race([
      isSignedIn(a).then(() => [a, b] as const),
      isSignedIn(b).then(() => [b, a] as const),
    ])
    await notification(second, /in another window/).waitFor()
    await statusBarItem(second, /You are signed out/).waitFor()
    await service.log.until(() => liveKeys(service).length === 1)
    const chat = await openChat(first)
    service.replies.add({ text: 'One key is enough.' })
    await ask(chat, 'Does it work?')
    await message(chat, 'Kourier').getByText('One key is enough.').waitFor()
  })
})
