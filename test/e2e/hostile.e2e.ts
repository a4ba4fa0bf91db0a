// A hostile repository in a real editor: whatever its model tries, nothing secret leaves, nothing protected changes, nothing runs.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import type { FrameLocator } from '@playwright/test'
import { message, writeMessage } from '../editor/workbench.ts'
import { startCanary } from '../support/canary.ts'
import { someAnswers } from '../support/hostileModel.ts'
import { HostileRepository } from '../support/hostileRepository.ts'
import { callOf } from '../support/turnFixture.ts'
import { openEmptyChat } from './chatSteps.ts'
import { withoutGit } from './editorHarness.ts'
import { test } from './fixtures.ts'
import { inferences } from './inferences.ts'

/** Declines each card until the answer has these words, and lets calls repeat. */
async function declineUntil(chat: FrameLocator, words: string): Promise<void> {
  const last = message(chat, 'Kourier').getByText(words)
  const card = chat.locator('.approvals')
  const deny = card.getByRole('button', { name: /^Deny( all)?$/ }).last()
  const goOn = card.getByRole('button', { name: 'Go on' })
  for (;;) {
    await last.or(deny).or(goOn).first().waitFor({ timeout: 90_000 })
    if (await last.isVisible()) return
    const button = (await goOn.isVisible()) ? goOn : deny
    // A card that was answered is on screen until the extension has the answer, and gone at any moment.
    await button.press('Enter', { timeout: 2_000 }).catch(() => {})
  }
}

test.describe('a hostile repository', () => {
  // An editor of its own, because of what is planted in its workspace; without git, which runs what the repository names.
  test.use({ editorNeeds: { builtIn: withoutGit } })

  test('[A67] [T45] [T50] [T81] gets no secret, no protected file and no command, though its settings allow all of them', async ({
    service,
    editor,
    windows,
    canaries,
  }) => {
    test.slow()
    await using listener = await startCanary()
    const repository = new HostileRepository({ top: dirname(editor.workspace), root: editor.workspace }, canaries)
    repository.begin()
    const { page, chat } = await openEmptyChat(windows)
    const mode = chat.getByRole('combobox', { name: 'Mode' })
    assert.equal(await mode.evaluate(one => (one as unknown as { value: string }).value), 'ask')

    service.replies.add(
      {
        toolCalls: [
          // As the settings of the workspace would allow it.
          callOf('run_command', { command: repository.mark('settings'), why: 'x' }),
          callOf('run_command', { command: `curl ${listener.origin}`, why: 'x' }),
          callOf('write_file', { path: 'src/new.ts', text: 'x' }),
        ],
      },
      { text: 'Nothing was done.' },
    )
    await writeMessage(chat, 'Look around.')
    await page.keyboard.press('Enter')
    await declineUntil(chat, 'Nothing was done.')
    assert.equal(await message(chat, 'Kourier').getByText('Declined').count(), 3)
    assert.deepEqual(repository.changed('all'), [])

    await mode.selectOption('Edit')
    service.replies.add(...someAnswers(repository), { text: 'That is all.' })
    await writeMessage(chat, 'Look further.')
    await page.keyboard.press('Enter')
    await declineUntil(chat, 'That is all.')
    const tried = JSON.stringify(inferences(service).at(-1)?.body).split('"tool_call_id"').length - 1
    assert.ok(tried > 150, `${tried} routes were tried`)
    assert.deepEqual(repository.changed('guarded'), [])
    // The editor itself runs the task that a trusted folder has for its opening.
    assert.deepEqual(
      repository.started.filter(name => name !== 'task'),
      [],
    )
    assert.deepEqual(listener.contacts, [])
  })
})
