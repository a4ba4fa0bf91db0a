// The program itself, started as a person or a script starts it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeCaFile } from '../localService/caFile.ts'
import { readCommandLine, UsageError } from '../localService/options.ts'
import { startService } from '../localService/server.ts'
import { get, postJson } from './caller.ts'

const program = fileURLToPath(new URL('../localService/main.ts', import.meta.url))

const start = (args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })

test('--json prints one line with the addresses, and SIGTERM ends it cleanly', async () => {
  const child = start([
    '--json',
    '--plan',
    'max',
    '--model',
    'mine-1',
    '--seed-user',
    'Ada@example.com',
    '--interval',
    '1',
  ])
  const lines: string[] = []
  const reading = createInterface(child.stdout).on('line', line => lines.push(line))
  await once(reading, 'line')
  const addresses = JSON.parse(lines[0] ?? '')
  assert.deepEqual(Object.keys(addresses), ['base_url', 'auth_url', 'site_url', 'model', 'control_url'])
  assert.equal(addresses.model, 'mine-1')
  assert.match(addresses.base_url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.match(addresses.auth_url, /^http:\/\/auth\.localhost:\d+$/)
  const { json } = await get(`${addresses.control_url}/state`)
  assert.deepEqual(json.accounts, [{ email: 'ada@example.com', plan: 'max' }])
  const { json: registration } = await postJson(`${addresses.base_url}/agent/identity`, {
    type: 'service_auth',
    login_hint: 'ada@example.com',
  })
  assert.equal(registration.claim.interval, 1)
  child.kill('SIGTERM')
  const [code, signal] = await once(child, 'exit')
  assert.deepEqual([code, signal, lines.length], [0, null, 1])
})

test('[program.https] --https writes the certificate to trust where only its owner can look, and takes it away', async () => {
  const child = start(['--https', '--json'])
  const [line] = await once(createInterface(child.stdout), 'line')
  const { base_url: baseUrl, ca_file: caFile } = JSON.parse(String(line))
  assert.match(baseUrl, /^https:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(statSync(dirname(caFile)).mode & 0o777, 0o700)
  const ask = `fetch('${baseUrl}/.well-known/oauth-protected-resource').then(answer => console.log(answer.status))`
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile }
  const asking = spawn(process.execPath, ['-e', ask], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  assert.equal(await text(asking.stdout), '200\n')
  child.kill('SIGTERM')
  assert.equal((await once(child, 'exit'))[0], 0)
  assert.equal(existsSync(dirname(caFile)), false)
})

test('[program.https] --ca-file puts it where it is wanted, where it stays; a place that is none is said', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-test-'))
  try {
    const path = join(folder, 'ca.pem')
    const file = writeCaFile('PEM', path)
    file.remove()
    assert.deepEqual([file.path, readFileSync(path, 'utf8')], [path, 'PEM'])
    assert.throws(
      () => writeCaFile('PEM', join(folder, 'no', 'ca.pem')),
      /no\/ca\.pem' cannot be written; choose another/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('without --json it tells a person what to do next', async () => {
  const child = start([])
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', part => {
    stdout += part
  })
  while (!stdout.includes('Ctrl+C')) await once(child.stdout, 'data')
  assert.match(stdout, /Service address {2}http:\/\/127\.0\.0\.1:\d+/)
  assert.match(stdout, /What to do next/)
  child.kill('SIGINT')
  assert.equal((await once(child, 'exit'))[0], 0)
})

test('a bad command line gets one sentence and the code 2', async t => {
  const cases: [readonly string[], RegExp][] = [
    [['--port', 'many'], /^--port must be a whole number from 0 to 65535, not 'many'\.$/],
    [['--plan', 'gold'], /^--plan must be one of free, pro, max, omega, not 'gold'\.$/],
    [['--ca-file', 'x.pem'], /^--ca-file needs --https\.$/],
    [['--https', '--ca-file', ''], /^--ca-file must be the path of a file\.$/],
    [['--state', ''], /^--state must be the path of a file\.$/],
    [['--nonsense'], /^Unknown option '--nonsense'\.$/],
    [['something'], /^Unexpected argument 'something'\.$/],
    [['--seed-user', 'ada'], /^--seed-user must be an email address/],
    [['--admin', 'root'], /^--admin must be an email address, not 'root'\.$/],
    [['--dialect', 'issue'], /^--dialect must be NAME=VALUE\.$/],
    [['--dialect', 'spelling=old'], /^--dialect: There is no choice 'spelling'; there are .*, issue, .*\.$/],
    [['--dialect', 'issue=twice'], /^--dialect: 'issue' is one of once, repeatable, not 'twice'\.$/],
    [['--upstream', 'ftp://x', '--upstream-model', 'm'], /^--upstream must be an http or https address/],
    [['--upstream', 'http://ada:secret@x'], /^--upstream must be without a password/],
    [['--upstream', 'http://x', '--upstream-timeout', '0'], /^--upstream-timeout must be at least 1\.$/],
    [['--upstream-timeout', '9'], /^--upstream-timeout needs --upstream URL\.$/],
    [['--upstream-model', 'm'], /^--upstream-model needs --upstream URL\.$/],
    [['--upstream-key-env', 'PATH'], /^--upstream-key-env needs --upstream URL\.$/],
    [
      ['--upstream', 'http://x', '--upstream-model', 'm', '--upstream-key-env', 'KOURIER_NOT_SET'],
      /KOURIER_NOT_SET, which is not set\.$/,
    ],
  ]
  for (const [args, expected] of cases)
    await t.test(args.join(' '), () =>
      assert.throws(
        () => readCommandLine(args, {}),
        (error: Error) => {
          assert.ok(error instanceof UsageError)
          assert.match(error.message, expected)
          return true
        },
      ),
    )
  const child = start(['--port', 'many'])
  const [[code], stderr, stdout] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
  assert.equal(code, 2)
  assert.match(stderr, /^--port must be .*\n$/)
  assert.equal(stdout, '')
})

test('the key for the server upstream comes from the environment, the address loses its last slash', () => {
  const args = ['--upstream=http://x/v1/', '--upstream-model=m', '--upstream-key-env=UP', '--upstream-timeout=9']
  assert.deepEqual(readCommandLine(args, { UP: 'secret' }).options.upstream, {
    url: 'http://x/v1',
    model: 'm',
    silenceMs: 9000,
    key: 'secret',
  })
  assert.equal(readCommandLine([], {}).options.upstream, undefined)
})

test('the dialect is chosen by name, as often as wanted', () => {
  const { dialect } = readCommandLine(['--dialect', 'issue=repeatable', '--dialect', 'pendingStatus=202'], {}).options
  assert.deepEqual(dialect, { issue: 'repeatable', pendingStatus: '202' })
})

test('a port in use is said in one sentence', async () => {
  await using service = await startService()
  const child = start(['--port', new URL(service.baseUrl).port])
  const [[code], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  assert.equal(code, 1)
  assert.match(stderr, /^This port is in use; .*\n$/)
})
