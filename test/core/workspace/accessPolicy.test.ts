// Which files may be read for the model, for which purpose, and the reason of each refusal.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AccessPolicy,
  type AccessPurpose,
  type FileFacts,
  type Refusal,
} from '../../../src/core/workspace/accessPolicy.ts'

interface Surroundings {
  readonly isTrusted?: boolean
  readonly globs?: readonly string[]
  readonly ignored?: readonly string[]
}

const usual: FileFacts = {
  uri: 'file:///work/src/a.ts',
  language: 'typescript',
  path: 'src/a.ts',
  fullPath: '/work/src/a.ts',
  isInWorkspace: true,
  size: 10,
  text: 'const a = ',
}

async function refusal(facts: Partial<FileFacts>, purpose: AccessPurpose, around: Surroundings = {}) {
  const { isTrusted = true, globs = [], ignored = [] } = around
  const policy = new AccessPolicy({
    isTrusted: () => isTrusted,
    excludedGlobs: ({ language }) => (language === 'typescript' ? globs : []),
    ignoredOf: async uris => new Set(uris.filter(uri => ignored.includes(uri))),
  })
  const file = { ...usual, ...facts }
  const [found] = await policy.refusalsOf([file], purpose, new AbortController().signal)
  if (purpose === 'completion' || purpose === 'context') assert.deepEqual(policy.refusalOf(file, purpose), found)
  return found
}

const named: readonly AccessPurpose[] = ['tool', 'attachment', 'mention']
const all: readonly AccessPurpose[] = ['completion', 'context', ...named]
const confirmed: readonly AccessPurpose[] = ['confirmed tool', 'confirmed attachment', 'confirmed mention']
const open: readonly AccessPurpose[] = ['completion', 'context']
const key = '-----BEGIN RSA PRIVATE KEY-----\nMII'
const env = { path: '.env', fullPath: '/work/.env' }

const refused: readonly [
  what: string,
  facts: Partial<FileFacts>,
  expected: Refusal,
  purposes?: readonly AccessPurpose[],
  around?: Surroundings,
][] = [
  ['a file of a workspace that is not trusted', {}, { reason: 'untrusted' }, all, { isTrusted: false }],
  ['a file outside the workspace', { isInWorkspace: false }, { reason: 'outside' }, named],
  [
    'an open file outside the workspace',
    { isInWorkspace: false, isOpen: true },
    { reason: 'outside' },
    ['tool', 'mention'],
  ],
  ['an excluded file', {}, { reason: 'excluded', glob: 'src/**' }, all, { globs: ['*.md', 'src/**'] }],
  ['a secret file', env, { reason: 'secret', glob: '.env*' }],
  ['a secret file that is excluded as well', env, { reason: 'secret', glob: '.env*' }, all, { globs: ['.env'] }],
  ['a secret file that was not read', { ...env, text: undefined }, { reason: 'secret', glob: '.env*' }],
  ['a private key', { text: key }, { reason: 'secret', content: 'private key' }],
  [
    'a private key that is let in by name',
    { text: key },
    { reason: 'secret', content: 'private key' },
    all,
    { globs: ['!**'] },
  ],
  ['a token', { path: '.npmrc', text: '//r/:_authToken=a' }, { reason: 'secret', content: 'token' }],
  [
    'a link with a harmless name to a secret file',
    { path: 'a.env.example', fullPath: '/work/.env.example', targetPath: '/work/.env' },
    { reason: 'secret', glob: '.env*' },
  ],
  [
    'a file in a folder that is itself secret',
    { path: 'config', fullPath: '/home/me/.kube/config' },
    { reason: 'secret', glob: '**/{.ssh,.gnupg,.aws,.azure,.kube}/**' },
  ],
  ['an ignored file', {}, { reason: 'ignored' }, named, { ignored: [usual.uri] }],
  ['a binary file', { text: 'GIF89a\0\u0001' }, { reason: 'binary' }],
  [
    'a large open file',
    { size: 1_000_001 },
    { reason: 'too large', size: 1_000_001, limit: 1_000_000 },
    [...open, 'attachment', 'confirmed attachment'],
  ],
  ['a very large file', { size: 50_000_001 }, { reason: 'too large', size: 50_000_001, limit: 50_000_000 }, ['tool']],
]

describe('refused', () => {
  for (const [what, facts, expected, purposes = all, around] of refused) {
    for (const purpose of purposes) {
      test(`${what}, for ${purpose}`, async () => assert.deepEqual(await refusal(facts, purpose, around), expected))
    }
  }

  test('the first reason does not wait for the text: an untrusted, secret, large file is untrusted', async () => {
    const facts = { ...env, size: 10_000_000, isInWorkspace: false }
    assert.deepEqual(await refusal(facts, 'tool', { isTrusted: false }), { reason: 'untrusted' })
    assert.deepEqual(await refusal(facts, 'tool'), { reason: 'outside' })
  })
})

const allowed: readonly [
  what: string,
  facts: Partial<FileFacts>,
  purposes?: readonly AccessPurpose[],
  around?: Surroundings,
][] = [
  ['a file of the workspace', {}],
  ['a file that was not read yet', { text: undefined }],
  ['a file of the largest size', { size: 1_000_000 }, [...open, 'attachment']],
  ['a file that looks secret and is let in', env, all, { globs: ['!.env'] }],
  ['an example of a secret file', { path: '.env.example' }],
  ['an open file outside the workspace', { isInWorkspace: false }, open],
  ['an open file that git ignores', {}, [...open, ...confirmed], { ignored: [usual.uri] }],
  ['an open file that git ignores, attached', { isOpen: true }, ['attachment'], { ignored: [usual.uri] }],
  ['an open file outside the workspace, attached', { isOpen: true, isInWorkspace: false }, ['attachment']],
  ['a secret file that the user has confirmed', { ...env, text: key }, ['confirmed tool', 'confirmed attachment']],
  ['a file outside the workspace that the user has confirmed', { isInWorkspace: false }, confirmed],
  ['a file that is excluded for another language only', { language: 'go' }, all, { globs: ['src/**'] }],
]

describe('allowed', () => {
  for (const [what, facts, purposes = all, around] of allowed) {
    for (const purpose of purposes) {
      test(`${what}, for ${purpose}`, async () => assert.equal(await refusal(facts, purpose, around), undefined))
    }
  }
})
