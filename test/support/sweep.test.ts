// The sweep finds what was planted, in every place and form; otherwise its silence would mean nothing.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findSecrets, sweepFolder } from './sweep.ts'

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

test('a value is found as base64', () => {
  const hidden = Buffer.from('xx sk-bf-planted-key xx'.slice(3, 20)).toString('base64')
  assert.equal(findSecrets('here', `{"v":"${hidden}"}`, ['sk-bf-planted-key']).length, 1)
})
