// Globs, and which files are kept from the model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  excludedNames,
  exclusionOf,
  type FileToCheck,
  matchesGlob,
  secretFileGlobs,
} from '../../../src/core/workspace/exclude.ts'

const isExcluded = (file: FileToCheck, globs: readonly string[]) => exclusionOf(file, globs) !== undefined

const globs: [glob: string, path: string, isMatch: boolean][] = [
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['*.ts', '.ts', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a?c', 'src/abc', true],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['src/*.ts', 'lib/src/a.ts', false],
  ['src/**', 'src/a', true],
  ['src/**', 'src/a/b/c', true],
  ['src/**/c.ts', 'src/c.ts', true],
  ['src/**/c.ts', 'src/a/b/c.ts', true],
  ['src/**/c.ts', 'src/a/b/d.ts', false],
  ['**/gen/**', 'gen/a.ts', true],
  ['**/gen/**', 'a/b/gen/c/d.ts', true],
  ['**/gen/**', 'a/regen/d.ts', false],
  ['**', 'anything/at/all', true],
  ['**/*', 'a/b', true],
  ['*.{ts,js}', 'x.js', true],
  ['*.{ts,js}', 'x.css', false],
  ['{src,test}/**/*.{a,b}', 'test/x/y.b', true],
  ['{a,{b,c}}.x', 'c.x', true],
  ['{a,{b,c}}.x', 'd.x', false],
  ['*.TS', 'a.ts', true],
  ['.ENV', '.env', true],
  ['a.b', 'axb', false],
  ['a+(b)', 'a+(b)', true],
  ['[x].md', '[x].md', true],
  ['', 'a', false],
  ['{', '{', true],
  ['./src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src\\a.ts', true],
  ['/home/me/**', '/home/me/x', true],
  ['**/', 'a', false],
]

describe('globs', () => {
  for (const [glob, path, isMatch] of globs) {
    test(`${glob} ${isMatch ? 'matches' : 'does not match'} ${path}`, () => {
      assert.equal(matchesGlob(glob, path), isMatch)
    })
  }

  test('a glob made to be slow comes to an end', () => {
    assert.equal(matchesGlob('*a'.repeat(200), 'a'.repeat(5_000).concat('b')), false)
    assert.equal(matchesGlob('**/a/'.repeat(100).concat('z'), 'a/'.repeat(500)), false)
    matchesGlob('{a,b}'.repeat(64), 'ab'.repeat(32))
  })

  test('a plain path matches itself and nothing longer', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9.]{0,11}$/)
    const path = fc.array(name, { minLength: 2, maxLength: 5 }).map(parts => parts.join('/'))
    fc.assert(
      fc.property(path, path => {
        assert.ok(matchesGlob(path, path))
        assert.ok(!matchesGlob(path, `${path}x`))
        assert.ok(matchesGlob('**/*', path))
      }),
    )
  })
})

const files: [path: string, isOut: boolean][] = [
  ['.env', true],
  ['.env.production', true],
  ['deep/down/.env.local', true],
  ['.envrc', true],
  ['.env.example', false],
  ['src/env.ts', false],
  ['server.pem', true],
  ['private.KEY', true],
  ['src/keyboard.ts', false],
  ['id_rsa', true],
  ['id_ed25519.pub', true],
  ['.ssh/config', true],
  ['home/.aws/credentials', true],
  ['.docker/config.json', true],
  ['config.json', false],
  ['.netrc', true],
  ['.git-credentials', true],
  ['credentials.json', true],
  ['client_secret_1.json', true],
  ['k8s/Secrets.yaml', true],
  ['terraform.tfstate', true],
  ['service-account-prod.json', true],
  ['src/main.ts', false],
  ['README.md', false],
  ['prod.env', true],
  ['deploy/prod.ENV', true],
  ['example.env', false],
  ['src/environment.ts', false],
  ['..env.swp', true],
  ['.prod.env.swp', true],
  ['.netrc.swo', true],
  ['#prod.env#', true],
  ['.#id_rsa', true],
  ['prod.env~', true],
  ['server.key.bak', true],
  ['a/server.pem.old.1', true],
  ['src/main.ts.bak', false],
  ['notes.md~', false],
  ['.pypirc', true],
  ['service_account.json', true],
  ['.m2/settings.xml', true],
  ['.composer/auth.json', true],
  ['src/auth.json', false],
  ['deploy/kubeconfig', true],
  ['AuthKey.p8', true],
  ['.terraformrc', true],
  ['infra/prod.tfvars', true],
  ['infra/prod.auto.tfvars.json', true],
  ['infra/example.tfvars', false],
  ['infra/main.tf', false],
  ['.config/gh/hosts.yml', true],
  ['gh/hosts.yml', false],
  ['.config/hub', true],
  ['.bash_history', true],
  ['secrets/prod.yaml', true],
  ['deploy/secrets/db_password', true],
  ['k8s-secrets/db.json', true],
  ['credentials/prod.json', true],
  ['src/secrets/index.ts', false],
  ['src/secrets/README.md', false],
  ['src/secrets/id_rsa', true],
  ['src/secrets/secretStore.ts', true],
  ['src/secretary/a.json', false],
]

describe('files kept from the model', () => {
  for (const [path, isOut] of files) {
    test(`${path} is ${isOut ? 'kept out' : 'let in'}`, () => assert.equal(isExcluded({ path, text: 'a' }, []), isOut))
  }

  test('the place on the disk counts where the workspace is itself secret', () => {
    assert.ok(isExcluded({ path: 'config', fullPath: '/home/me/.kube/config', text: '' }, []))
    assert.ok(!isExcluded({ path: 'config', fullPath: '/home/me/project/config', text: '' }, []))
  })

  test('what the user names is kept out, and only inside the workspace unless the glob is absolute', () => {
    assert.ok(isExcluded({ path: 'gen/a.ts', text: '' }, ['gen/**']))
    assert.ok(!isExcluded({ path: 'src/a.ts', fullPath: '/gen/src/a.ts', text: '' }, ['**/gen/**']))
    assert.ok(isExcluded({ path: 'a.ts', fullPath: '/vault/a.ts', text: '' }, ['/vault/**']))
  })

  test('the user may let in what looks secret, and naming other files does not let it in', () => {
    assert.ok(!isExcluded({ path: 'src/secretStore.ts', text: '' }, ['!*.ts']))
    assert.ok(isExcluded({ path: '.env', text: '' }, ['gen/**']))
  })

  test('what is let in by default is let in only by its own name', () => {
    const link = { path: 'docs/.env.example', fullPath: '/w/docs/.env.example', targetPath: '/w/.env', text: '' }
    assert.ok(isExcluded(link, secretFileGlobs))
    assert.ok(isExcluded({ ...link, path: 'a.ts', fullPath: '/w/a.ts' }, secretFileGlobs))
    assert.ok(!isExcluded({ path: '.env.example', text: '' }, secretFileGlobs))
    assert.ok(!isExcluded({ path: 'secrets/a.ts', text: '' }, secretFileGlobs))
  })

  test('the names of a folder are excluded as the files are', () => {
    for (const [path, isOut] of files) {
      const cut = path.lastIndexOf('/')
      const folder = path.slice(0, Math.max(0, cut))
      const isName = excludedNames(secretFileGlobs, folder, `/w/${folder}`.replace(/\/$/, ''))
      assert.equal(isName(path.slice(cut + 1)), isOut, path)
    }
  })

  test('a private key or a token inside keeps a file out under any name', () => {
    assert.ok(isExcluded({ path: 'notes.txt', text: '-----BEGIN RSA PRIVATE KEY-----\nMII' }, []))
    assert.ok(isExcluded({ path: 'notes.txt', text: '\n-----BEGIN PRIVATE KEY-----' }, ['!**/*']))
    assert.ok(isExcluded({ path: 'a/.npmrc', text: '//registry/:_authToken=abc' }, []))
    assert.ok(!isExcluded({ path: 'a/.npmrc', text: 'save-exact=true' }, []))
    for (const line of ['npmAuthToken: abc', '  npmAuthIdent: "me:abc"', '"//r.example/:_authToken" abc'])
      assert.ok(isExcluded({ path: 'a/.yarnrc.yml', text: `nodeLinker: pnp\n${line}\n` }, []), line)
    for (const line of [`npmAuthToken: "\${NPM_TOKEN}"`, `npmAuthToken: \${NPM_TOKEN:-}`, 'npmAlwaysAuth: true'])
      assert.ok(!isExcluded({ path: '.yarnrc.yml', text: `${line}\nnodeLinker: pnp\n` }, []), line)
    assert.ok(isExcluded({ path: '.yarnrc.yml', text: `npmAuthToken: "\${NPM_TOKEN:-abc}"` }, []))
    assert.ok(isExcluded({ path: '.npmrc.bak', text: '_authToken=abc' }, []))
    const target = { path: 'notes.txt', fullPath: '/w/notes.txt', targetPath: '/w/.npmrc' }
    assert.ok(isExcluded({ ...target, text: '//registry/:_authToken=abc' }, []), 'through a link')
    assert.ok(isExcluded({ path: '.git/config', text: 'url = https://me:abc@git.example/x' }, []))
    assert.ok(isExcluded({ path: 'a/.git/modules/b/config', text: 'extraheader = AUTHORIZATION: basic abc' }, []))
    assert.ok(!isExcluded({ path: '.git/config', text: 'url = https://git.example/x' }, []))
    assert.ok(!isExcluded({ path: 'a.ts', text: `${' '.repeat(5_000)}-----BEGIN PRIVATE KEY-----` }, []))
  })
})
