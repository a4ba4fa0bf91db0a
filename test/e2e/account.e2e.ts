// The account in everyday life: a key that the service no longer accepts.
import assert from 'node:assert/strict'
import { readSecrets } from '../editor/secrets.ts'
import { goTo, notification, openChat, openFile, statusBarItem, type } from '../editor/workbench.ts'
import { test } from './fixtures.ts'
import { isSignedIn, storedCredential } from './signInSteps.ts'

test('the account says once that the key is refused while nobody looks at the chat, which shows it too, and asks no more with it', async ({
  service,
  context,
  editor,
  windows,
}) => {
  const { page, key } = await windows.openSignedIn()
  await isSignedIn(page)
  for (const one of service.state.keys.all) service.state.keys.revoke(one, Date.now())
  await openFile(page, 'reports/delays.py')
  await goTo(page, 10_000)
  await type(page, '\n\ndef mean')
  const notice = notification(page, /no longer accepts the key\. Sign in again\.$/)
  await notice.getByRole('button', { name: 'Sign In' }).waitFor()
  const refused = () => service.log.calls.filter(({ status }) => status === 401).length
  const asked = refused()
  await type(page, '_delay(deliveries):\n    return ')
  await statusBarItem(page, /no longer accepted/).waitFor()
  assert.equal(refused(), asked, 'no request goes out with a refused key')
  const messages = page.locator('.notification-list-item-message', { hasText: 'no longer accepts the key' })
  assert.equal(await messages.count(), 1)
  const credential = JSON.parse((await readSecrets(context, editor.url))[storedCredential] ?? '{}')
  assert.equal(credential.key, key, 'the key stays until the user decides')
  const chat = await openChat(page)
  await chat.getByRole('alert').getByRole('button', { name: 'Sign In' }).first().waitFor()
  assert.equal(refused(), asked)
})
