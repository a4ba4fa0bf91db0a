// Values of secret variables in what the model is sent: replaced in each of their forms, and nothing else.
import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, test } from 'node:test'
import { SecretValues } from '../../../src/core/tools/secretValues.ts'

const value = 'kN4+zq/7Rt=="x y'
const secrets = new SecretValues({
  SERVICE_TOKEN: value,
  HOME: '/home/user',
  PWD: '/home/user/project',
  SHORT_KEY: 'abc',
  DATABASE_URL: 'postgres://admin:s3cr%2Ft-pass@db.example/app',
  PEM: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----',
  PRIVATE_PEM: '-----BEGIN A-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7\n-----END A-----',
})
const masked = (text: string) => secrets.mask(text).text

describe('[A60] a value of a secret is replaced', () => {
  const forms: Readonly<Record<string, string>> = {
    'as it is': value,
    'in JSON': JSON.stringify({ a: value }),
    'in a URL': `https://a.example/?q=${encodeURIComponent(value)}`,
    'in a form': new URLSearchParams({ q: value }).toString(),
    'in base64': Buffer.from(value).toString('base64'),
    'in base64 of something longer': Buffer.from(`user:${value}\n`).toString('base64'),
    'in base64 for URLs': Buffer.from(`a${value}`).toString('base64url'),
  }
  for (const [what, form] of Object.entries(forms)) {
    test(what, () => {
      const text = masked(`before ${form} after`)
      assert.match(text, /^before .*\[value of SERVICE_TOKEN\].* after$/)
      assert.ok(!text.includes(value))
      assert.ok(secrets.mask(form).isMasked)
    })
  }

  test('in base64 that is wrapped into lines', () => {
    const whole = Buffer.from(`${'A=some longer text here\n'.repeat(3)}${`T=${value}\n`.repeat(9)}`).toString('base64')
    const text = masked(whole.replaceAll(/.{76}/g, '$&\n'))
    assert.ok(
      !Buffer.from(text.replaceAll(/\[[^\]]*\]/g, ' '), 'base64')
        .toString()
        .includes(value.slice(2, -2)),
    )
    assert.equal(text.match(/\[value of SERVICE_TOKEN\]/g)?.length, 9)
  })

  test('in base64 that is wrapped at any width, after other text, with any line end and indented', () => {
    const whole = Buffer.from(`a longer text T=${value} and more`).toString('base64')
    for (let width = 1; width <= whole.length; width++) {
      for (const lineEnd of ['\n', '\r\n', '\n    ']) {
        const lines = whole.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
        const text = masked(`it is: ${lines.join(lineEnd)}\ndone`)
        assert.match(text, /^it is: .*\[value of SERVICE_TOKEN\].*\ndone$/s, `${width} ${JSON.stringify(lineEnd)}`)
        const left = Buffer.from(text.replaceAll(/\[[^\]]*\]/g, ' ').replaceAll(/\s+/g, ''), 'base64').toString()
        assert.ok(!left.includes(value.slice(2, -2)))
      }
    }
  })

  test('not where the lines of a text only look like it', () => {
    const text = 'one\ntwo\nthree\n'.repeat(200)
    assert.equal(masked(text), text)
    const begin = performance.now()
    masked('a'.repeat(200_000).concat(' \n'.repeat(200_000)))
    masked('ab\n'.repeat(200_000))
    assert.ok(performance.now() - begin < 5_000)
  })

  test('in an address, whole and as a password', () => {
    assert.equal(masked('x postgres://admin:s3cr%2Ft-pass@db.example/app'), 'x [value of DATABASE_URL]')
    assert.equal(masked('s3cr%2Ft-pass s3cr/t-pass'), '[value of DATABASE_URL] [value of DATABASE_URL]')
  })

  test('line by line where it has several', () => {
    assert.equal(masked('AASCBKcwggSjAgEAAoIBAQC7'), '[value of PRIVATE_PEM]')
  })

  test('by its known form, without a variable', () => {
    assert.equal(masked('ghp_0123456789abcdef0123'), 'ghp[secret value]')
    assert.equal(masked('https://user:password@host/'), 'https://[secret value]@host/')
  })
})

test('short values, folders and other variables stay', () => {
  const text = 'abc /home/user /home/user/project'
  assert.deepEqual(secrets.mask(text), { text, isMasked: false })
})

test('a value that is cut by the end of a part is replaced as a whole', () => {
  const text = `0123${value}4567`
  const end = 4 + value.length
  for (let cut = 5; cut < end; cut++) {
    assert.equal(secrets.maskPart(text, 0, cut).text, '0123[value of SERVICE_TOKEN]')
    assert.equal(secrets.maskPart(text, cut, text.length).text, '[value of SERVICE_TOKEN]4567')
  }
  assert.equal(secrets.maskPart(text, end, text.length).text, '4567')
})

test('the name of a secret variable is found in a command as a word', () => {
  assert.deepEqual(secrets.namesIn('echo $SERVICE_TOKEN'), ['SERVICE_TOKEN'])
  assert.deepEqual(secrets.namesIn('echo $SERVICE_TOKENS "$DATABASE_URL"'), ['DATABASE_URL'])
})
