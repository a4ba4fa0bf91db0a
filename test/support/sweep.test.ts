// The sweep finds what was planted, in every place and form; otherwise its silence would mean nothing.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService } from '../localService/server.ts'
import { get, postForm, register } from '../service/caller.ts'
import { findSecrets, secretsIn, sweepFolder } from './sweep.ts'

test('a key, a claim token and a known value are found in nested files, also inside binary ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-sweep-'))
  try {
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    writeFileSync(
      join(folder, 'a/b/state.db'),
      Buffer.concat([Buffer.from([0, 255, 128]), Buffer.from('sk-bf-planted-key')]),
    )
    writeFileSync(join(folder, 'a/log.txt'), 'token=clm_plantedtoken1')
    writeFileSync(join(folder, 'mail.json'), JSON.stringify({ to: encodeURIComponent('ada@example.com') }))
    writeFileSync(join(folder, 'clean.txt'), 'nothing to see')
    assert.deepEqual(
      sweepFolder(folder, ['ada@example.com'])
        .map(({ where, what }) => [where.slice(folder.length + 1), what])
        .sort(),
      [
        ['a/b/state.db', 'sk-bf-plan…'],
        ['a/log.txt', 'clm_plante…'],
        ['mail.json', 'ada%40exam…'],
      ],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('[T10] what one sign-in alone knows is found too: attempt token, code verifier, code and state', async () => {
  const service = await startService()
  const folder = mkdtempSync(join(tmpdir(), 'kourier-sweep-'))
  try {
    const random = () => randomBytes(32).toString('base64url')
    const [verifier, state, code] = [random(), random(), random()]
    const { baseUrl } = service
    const client = { client_id: 'kourier-vscode', redirect_uri: 'http://127.0.0.1:1/callback' }
    const asked = { response_type: 'code', ...client, code_challenge: random(), code_challenge_method: 'S256', state }
    await get(`${baseUrl}/oauth2/authorize?${new URLSearchParams(asked)}`)
    await postForm(`${baseUrl}/oauth2/token`, {
      grant_type: 'authorization_code',
      ...client,
      code,
      code_verifier: verifier,
    })
    const { claim } = await register(service)
    const link = new URL(claim.verification_uri)
    const attempt = link.searchParams.get('claim_attempt_token') ?? ''
    assert.match(attempt, /^cla_/)
    await get(`${baseUrl}${link.pathname}${link.search}`)

    const known = secretsIn(service.log.calls)
    const planted = { attempt, verifier, state, code }
    for (const [what, value] of Object.entries(planted)) writeFileSync(join(folder, what), `{"said":"${value}"}`)
    writeFileSync(join(folder, 'clean'), `${claim.user_code} ${random()} ${service.authUrl}`)
    const found = sweepFolder(folder, known).map(({ where }) => where.slice(folder.length + 1))
    assert.deepEqual([...new Set(found)].sort(), Object.keys(planted).sort())
    // And the log itself holds none of them but the state, which has to stand in an address.
    const log = JSON.stringify(service.log.calls)
    assert.deepEqual(findSecrets('the log', log, [attempt, verifier, code]), [])
  } finally {
    rmSync(folder, { recursive: true })
    await service.close()
  }
})

test('a value is found as base64', () => {
  const hidden = Buffer.from('xx sk-bf-planted-key xx'.slice(3, 20)).toString('base64')
  assert.equal(findSecrets('here', `{"v":"${hidden}"}`, ['sk-bf-planted-key']).length, 1)
})
