// What a person reads when the service is asked in a way that it does not offer; and the one button.
import assert from 'node:assert/strict'
import { ask, message, openChat, statusBarItem } from '../editor/workbench.ts'
import type { Service } from '../localService/server.ts'
import { test } from './fixtures.ts'

test.describe('models and surfaces', () => {
  test.use({ settings: { 'kourier.surface': 'responses', 'kourier.model': 'kourier-1-0815' } })

  const paths = (service: Service) =>
    service.log.calls.filter(({ method }) => method === 'POST').map(({ path }) => path)

  test('a surface that is not offered is said in one sentence, and one button goes on over chat completions', async ({
    service,
    windows,
  }) => {
    const { page } = await windows.openSignedIn()
    await statusBarItem(page, /Signed in to/).waitFor()
    const chat = await openChat(page)
    service.faults.add({ kind: 'status', status: 404, on: 'POST /v1/responses', times: 'always' })
    await ask(chat, 'Anybody there?')
    const alert = chat.getByRole('alert')
    await alert.waitFor()
    assert.match(await alert.innerText(), /does not offer the API that is set \(\/v1\/responses\)/)
    service.replies.add({ text: 'Here I am.' })
    await alert.getByRole('button', { name: 'Use Chat Completions' }).click()
    await message(chat, 'Kourier').getByText('Here I am.').waitFor()
    assert.equal(await alert.count(), 0)
    assert.equal(paths(service).at(-1), '/v1/chat/completions')
    assert.equal(await chat.getByRole('log').getByText('Anybody there?').count(), 1, 'the question stands once')
  })
})
