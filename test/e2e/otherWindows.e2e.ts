// The account in windows that nobody can go on with: two of one person, and one that came from elsewhere. They run last.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ask, dialog, notification, openChat, runCommand, statusBarItem } from '../editor/workbench.ts'
import { farHost } from './profile.ts'
import { email, isIn, message, World } from './world.ts'

describe('two windows of one person', () => {
  const world = new World()

  it('[R39] [R40] tells the other window of a sign-in and a sign-out, and two at once end with one key', async () => {
    const a = await world.window({ isSpent: true })
    const b = await world.window()
    await world.askForCode(a)
    world.approve()
    await isIn(a)
    await notification(b, /^You signed in to \S+ in another window\. Reload this window to use it here\.$/)
      .getByRole('button', { name: 'Reload Window' })
      .click()
    await isIn(b)
    await runCommand(b, 'Kourier: Sign Out')
    await dialog(b).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(a, /^You signed out of .* in another window\.$/).waitFor()
    await statusBarItem(a, /You are signed out/).waitFor()
    await notification(b, /the key was revoked/).waitFor()
    assert.deepEqual(world.liveKeys, [])

    await world.askForCode(a)
    await world.askForCode(b)
    const { registrations } = world.service.state
    for (const one of registrations.all.slice(-2)) registrations.approve(one, one.attempt, email, one.attempt.code)
    const [first, second] = await Promise.race([
      isIn(a).then(() => [a, b] as const),
      isIn(b).then(() => [b, a] as const),
    ])
    await notification(second, /in another window/).waitFor()
    await statusBarItem(second, /You are signed out/).waitFor()
    await world.service.log.until(() => world.liveKeys.length === 1)
    const chat = await openChat(first)
    world.service.replies.add({ text: 'One key is enough.' })
    await ask(chat, 'Does it work?')
    await message(chat, 'Kourier').getByText('One key is enough.').waitFor()
  })
})

describe('an editor that came over plain http from elsewhere', () => {
  const world = new World()

  it('[T16] says once that the browser keeps the key unsealed', async () => {
    const page = await world.window({ host: farHost })
    await world.askForCode(page)
    world.approve()
    await notification(page, /^This editor came over plain http from editor\.test:\d+, so your browser keeps/).waitFor()
    const kept = async () => JSON.stringify(await world.context.storageState())
    assert.match(await kept(), /sk-bf-/, 'it does')
    await runCommand(page, 'Kourier: Sign Out')
    await dialog(page).getByRole('button', { name: 'Sign Out and Revoke Key' }).click()
    await notification(page, /the key was revoked/).waitFor()
    assert.doesNotMatch(await kept(), /sk-bf-/)
    assert.deepEqual(world.liveKeys, [])
  })
})
