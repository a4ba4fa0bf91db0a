// The state file: what it keeps, what it never holds, and what becomes of a file that cannot be used.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { after, beforeEach, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StateFileError } from '../localService/database.ts'
import type { ServiceOptions } from '../localService/options.ts'
import { startService } from '../localService/server.ts'
import { Browser } from './browser.ts'
import { bearer, chat, email, get, type Json, poll, postForm, postJson, question, register } from './caller.ts'

const folder = mkdtempSync(join(tmpdir(), 'kourier-state-'))
const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

let count = 0
let stateFile = ''
beforeEach(() => {
  count += 1
  stateFile = join(folder, `${count}.db`)
})
const start = (more: ServiceOptions = {}) => startService({ stateFile, ...more })

suite('across restarts', () => {
  test('[program.state] keys work, revoked ones stay revoked, plans and names stay', async () => {
    let keys: string[]
    {
      await using service = await start({ plan: 'max' })
      keys = [1, 2, 3].map(() => service.state.issueKey(email, 'Mine'))
      service.state.accounts.of('omega@example.com').plan = 'omega'
      await postForm(`${service.baseUrl}/oauth2/revoke`, { token: keys[1] ?? '' })
      await chat(service, keys[2] ?? '', question('Hi'))
    }
    await using service = await start({ plan: 'free', seedUser: email })
    const statuses = await Promise.all(keys.map(key => chat(service, key, question('Hi'))))
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 401, 200],
    )
    assert.deepEqual(
      service.state.accounts.all.map(account => [account.email, account.plan]),
      [
        [email, 'max'],
        ['omega@example.com', 'omega'],
      ],
    )
    assert.deepEqual(
      service.state.keys.all.map(({ name }) => name),
      ['Mine', 'Mine (2)', 'Mine (3)'],
    )
    assert.ok((service.state.keys.all[2]?.lastUsedAt ?? 0) > 0)
    assert.equal(service.state.issueKey(email, 'Mine').startsWith('sk-bf-'), true)
    assert.equal(service.state.keys.all[3]?.name, 'Mine (4)', 'and what is made after is told apart from them')
  })

  test('[program.state] a registration that waits goes on: the code is typed and the key collected after it', async () => {
    let registered: Json
    {
      await using service = await start({ plan: 'pro', interval: 0 })
      registered = await register(service, { client_name: 'Patient' })
      assert.equal((await poll(service, registered.claim_token)).json.error, 'authorization_pending')
    }
    {
      await using service = await start({ plan: 'pro', interval: 0 })
      const link = new URL(registered.claim.verification_uri)
      const browser = new Browser()
      await browser.open(`${service.authUrl}${link.pathname}${link.search}`)
      await browser.press('Sign in', { Email: email })
      assert.match(browser.page.words, /Patient/)
      const wrong = await browser.press('Approve', { Code: '1' })
      assert.match(wrong.words, /not the code/)
      await browser.press('Approve', { Code: registered.claim.user_code })
      assert.match(browser.page.words, /Approved/)
    }
    let key: string
    {
      await using service = await start()
      const { status, json } = await poll(service, registered.claim_token)
      assert.equal(status, 200)
      key = json.access_token
      assert.equal((await chat(service, key, question('Hi'))).status, 200)
    }
    await using service = await start()
    assert.equal((await poll(service, registered.claim_token)).json.error, 'invalid_grant', 'handed out once, for good')
    assert.equal((await get(`${service.baseUrl}/v1/models`, bearer(key))).status, 200)
  })

  test('[program.state] ten minutes of a code and the hour of a registration go on being counted', async () => {
    let registered: Json
    {
      await using service = await start()
      registered = await register(service)
    }
    await using service = await start()
    service.clock.advance(9.9 * 60_000)
    assert.equal((await poll(service, registered.claim_token)).json.error, 'authorization_pending')
    service.clock.advance(0.2 * 60_000)
    assert.equal((await poll(service, registered.claim_token)).json.error, 'expired_token')
    const renewed = await postJson(`${service.baseUrl}/agent/identity/claim`, {
      claim_token: registered.claim_token,
      email,
    })
    assert.equal(renewed.status, 200)
    await service.close()
    await using later = await start()
    const old = new URL(registered.claim.verification_uri)
    const page = await new Browser().open(`${later.authUrl}${old.pathname}${old.search}`)
    assert.match(page.words, /asked for a new code since/, 'the old link still says what became of it')
    later.clock.advance(60 * 60_000)
    assert.match((await poll(later, registered.claim_token)).json.error_description, /registration has expired/)
  })

  test('[program.state] an activation code that was used is used', async () => {
    let code: string
    {
      await using service = await start()
      code = service.state.activationCodes.issue('for Ada')
      assert.equal(service.state.activationCodes.redeem(code, email), 'done')
    }
    await using service = await start()
    assert.equal(service.state.activationCodes.redeem(code, 'b@example.com'), 'used')
    assert.equal(service.state.activationCodes.all[0]?.usedBy, email)
  })

  test('[program.state] a program that registered itself is still known, by its secret', async () => {
    let client: Json
    const dialect = { clientRegistration: 'secret' } as const
    const redirect = 'http://127.0.0.1/callback'
    {
      await using service = await start({ dialect })
      client = (await postJson(`${service.baseUrl}/oauth2/register`, { client_name: 'Own', redirect_uris: [redirect] }))
        .json
    }
    await using service = await start({ dialect })
    const exchange = async (secret: string) => {
      const { client_id } = client
      const code = { code: 'none', redirect_uri: redirect, code_verifier: 'v'.repeat(43) }
      const fields = { grant_type: 'authorization_code', client_id, client_secret: secret, ...code }
      return (await postForm(`${service.baseUrl}/oauth2/token`, fields)).json.error
    }
    assert.deepEqual(
      [await exchange('wrong'), await exchange(client.client_secret)],
      ['invalid_client', 'invalid_grant'],
    )
    assert.equal(readFileSync(stateFile, 'latin1').includes(client.client_secret), false)
  })

  test('[program.state] without a file nothing is kept', async () => {
    const before = readdirSync(folder)
    {
      await using service = await startService({ plan: 'pro', seedUser: email })
      service.state.issueKey(email, 'Gone')
    }
    await using service = await startService()
    assert.deepEqual([service.state.keys.all, service.state.accounts.all, readdirSync(folder)], [[], [], before])
  })

  test('[program.state] a file of an older program is widened, and what a later one added stays in it', async () => {
    {
      await using service = await start({ plan: 'pro' })
      service.state.issueKey(email, 'Old')
    }
    edit('ALTER TABLE keys DROP COLUMN client; ALTER TABLE keys ADD COLUMN colour TEXT; DROP TABLE activation_codes')
    edit("UPDATE keys SET colour = 'red'")
    {
      await using service = await start()
      service.state.keys.revoke(service.state.keys.all[0] ?? assert.fail(), 7)
      service.state.activationCodes.issue('new')
    }
    using file = new DatabaseSync(stateFile)
    assert.deepEqual(
      { ...file.prepare('SELECT colour, client, revoked_at FROM keys').get() },
      { colour: 'red', client: null, revoked_at: 7 },
    )
    assert.equal(file.prepare('SELECT count(*) AS count FROM activation_codes').get()?.['count'], 1)
  })
})

test('[program.state-hashed] [key.hashed] no key, token, code or session stands in the file, at no time', async () => {
  await using service = await start({ plan: 'pro' })
  const registered = await register(service)
  const browser = new Browser()
  await browser.open(registered.claim.verification_uri)
  await browser.press('Sign in', { Email: email })
  await browser.press('Approve', { Code: registered.claim.user_code })
  const { access_token: key } = (await poll(service, registered.claim_token)).json
  const other = service.state.issueKey(email, 'Other')
  const code = service.state.activationCodes.issue('Ada')
  const pending = await register(service)
  const attempt = new URL(pending.claim.verification_uri).searchParams.get('claim_attempt_token') ?? ''
  const cookies = browser.setCookies.map(line => /=([^;]+)/.exec(line)?.[1] ?? '')
  const secrets = [key, other, code, registered.claim_token, pending.claim_token, attempt, pending.claim.user_code]
  const search = () => {
    const bytes = Buffer.concat(
      readdirSync(folder)
        .filter(name => name.startsWith(`${count}.db`))
        .map(name => readFileSync(join(folder, name))),
    ).toString('latin1')
    assert.ok(bytes.includes(email), 'this is where the state is')
    for (const secret of [...secrets, ...cookies, code.replaceAll('-', ''), 'sk-bf-', 'clm_', 'cla_'])
      assert.equal(bytes.includes(secret), false, secret)
  }
  search()
  await service.close()
  search()
})

suite('a file that cannot be used', () => {
  /** Starts in vain, and gives the sentence; the file is byte for byte as it was. */
  async function sentence(): Promise<string> {
    const before = existsSync(stateFile) ? readFileSync(stateFile) : undefined
    const error: unknown = await start().then(
      async service => {
        await service.close()
        return assert.fail('It started.')
      },
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof StateFileError, String(error))
    assert.deepEqual(existsSync(stateFile) ? readFileSync(stateFile) : undefined, before)
    return error.message
  }
  const notOurs = () => `'${stateFile}' is no state file of this service, or it is damaged; it was left as it is.`

  async function made(): Promise<void> {
    await using service = await start({ plan: 'pro' })
    for (let key = 0; key < 100; key += 1) service.state.issueKey(email, 'Key')
  }

  test('[program.state-damaged] something else', async () => {
    writeFileSync(stateFile, 'My diary. '.repeat(500))
    assert.equal(await sentence(), notOurs())
  })

  test('[program.state-damaged] the database of another program', async () => {
    edit('CREATE TABLE diary (day TEXT); PRAGMA user_version = 1')
    assert.equal(await sentence(), notOurs())
  })

  test('[program.state-damaged] zeros where the rows were, and half a file', async () => {
    await made()
    const bytes = readFileSync(stateFile)
    writeFileSync(stateFile, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096)]))
    assert.equal(await sentence(), notOurs())
    writeFileSync(stateFile, bytes.subarray(0, bytes.length / 2))
    assert.equal(await sentence(), notOurs())
  })

  test('[program.state-damaged] rows that this service would not have written', async () => {
    for (const wrong of [
      "UPDATE accounts SET plan = 'gold'",
      'UPDATE keys SET email = NULL',
      "INSERT INTO links VALUES ('a', 'b', 'c')",
    ]) {
      await made()
      edit(wrong)
      assert.equal(await sentence(), notOurs())
      rmSync(stateFile)
    }
  })

  test('[program.state-damaged] one of a newer version', async () => {
    await made()
    edit('PRAGMA user_version = 999')
    assert.equal(
      await sentence(),
      `'${stateFile}' was written by a newer version of this service, and was left as it is.`,
    )
  })

  test('[program.state-damaged] no folder, a folder, and a place where nothing can be written', async () => {
    stateFile = join(folder, 'nowhere', 'state.db')
    assert.match(await sentence(), /nowhere\/state\.db' cannot be written: unable to open database file\.$/)
    stateFile = join(folder, 'folder.db')
    mkdirSync(stateFile)
    await assert.rejects(start(), /folder\.db' cannot be written: /)
  })

  test('[program.state-damaged] a folder that is read only', {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async () => {
    // Permissions do not stop the administrator; this file system stops everybody.
    stateFile = '/proc/kourier-state.db'
    assert.match(await sentence(), /^'\/proc\/kourier-state\.db' cannot be written: /)
  })

  test('[program.state-damaged] one in use, here or in another process; the first goes on with it', async () => {
    await using first = await start({ plan: 'pro' })
    await assert.rejects(start(), { message: `'${stateFile}' is in use by another process.` })
    const child = spawnService(['--state', stateFile])
    const [[code], stderr, stdout] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
    assert.deepEqual([code, stderr, stdout], [1, `'${stateFile}' is in use by another process.\n`, ''])
    const key = first.state.issueKey(email, 'Still')
    assert.equal((await chat(first, key, question('Hi'))).status, 200)
  })

  test('a port in use lets the file go again', async () => {
    await using other = await startService()
    await assert.rejects(start({ port: Number(new URL(other.baseUrl).port) }), { code: 'EADDRINUSE' })
    await using _ = await start()
  })
})

test('[program.state] killed in the middle of writing: whatever was answered is there', async () => {
  const child = spawnService(['--state', stateFile, '--json', '--plan', 'pro'])
  const addresses = await firstLine(child)
  const answered: string[] = []
  const ask = async () => {
    for (;;) {
      const { json } = await postJson(`${addresses.control_url}/keys`, { email })
      answered.push(json.key)
      if (answered.length === 40) child.kill('SIGKILL')
    }
  }
  // Several at a time, so that there is always one being written.
  const asking = Promise.allSettled([ask(), ask(), ask(), ask()])
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
  await asking
  await using service = await start()
  assert.ok(answered.length >= 40)
  for (const key of answered) assert.ok(service.state.keys.find(key), 'a key that was handed out is known')
  assert.equal((await chat(service, answered[0] ?? '', question('Hi'))).status, 200)
})

test('[program.state] a file that can no longer grow costs an answer, and never what is in it', {
  skip: process.platform === 'win32',
}, async () => {
  // The shell's limit on the size of a file simulates a full disk.
  const child = spawnService(['--state', stateFile, '--json', '--plan', 'pro'], 'ulimit -f 160; exec "$0" "$@"')
  const addresses = await firstLine(child)
  const keys: string[] = []
  let status = 200
  for (let tries = 0; tries < 2000 && status === 200; tries += 1) {
    const made = await postJson(`${addresses.control_url}/keys`, { email, name: 'x'.repeat(2000) })
    status = made.status
    if (status === 200) keys.push(made.json.key)
  }
  assert.deepEqual([status, keys.length > 0], [500, true])
  assert.equal((await get(`${addresses.base_url}/.well-known/oauth-protected-resource`)).status, 200)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await using service = await start()
  for (const key of keys) assert.ok(service.state.keys.find(key))
})

function edit(sql: string): void {
  using file = new DatabaseSync(stateFile)
  file.exec(sql)
}

const program = fileURLToPath(new URL('../localService/main.ts', import.meta.url))

function spawnService(args: readonly string[], shell?: string) {
  const command = [process.execPath, program, ...args]
  const [first = '', ...rest] = shell === undefined ? command : ['/bin/sh', '-c', shell, ...command]
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  return child
}

async function firstLine(child: ReturnType<typeof spawnService>): Promise<Json> {
  const [line] = await once(createInterface(child.stdout), 'line')
  return JSON.parse(String(line))
}
