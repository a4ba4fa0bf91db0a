// Which email addresses are offered, and that nobody is asked to log in for one.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { fakeEditor, withFakeVscode } from '../../support/fakeVscode.ts'

const { findEmails } = await withFakeVscode(() => import('../../../src/editor/account/emailSources.ts'))

describe('the emails that are offered', () => {
  afterEach(() => {
    fakeEditor.reset()
  })

  /** Beside what git has on this machine. */
  async function found() {
    const emails = await findEmails({
      mayReadWorkspace: false,
      githubEmail: async token => (token === 'gho_ada' ? 'ada@example.org' : undefined),
      gitEmail: async () => 'git@example.com',
      lastUsed: async () => undefined,
    })
    return emails.filter(({ source }) => source !== 'git')
  }

  it('are those of the accounts in the editor, each by its source', async () => {
    fakeEditor.accounts = { microsoft: ['ada@example.com', 'eve@example.com'], github: ['ada'] }
    assert.deepEqual(await found(), [
      { email: 'ada@example.com', source: 'Microsoft account' },
      { email: 'eve@example.com', source: 'Microsoft account' },
      { email: 'ada@example.org', source: 'GitHub account' },
    ])
  })

  it('leave out the accounts that nobody has logged in to, and nobody is asked to', async () => {
    assert.deepEqual(await found(), [])
    assert.deepEqual(fakeEditor.messages, [])
  })
})
