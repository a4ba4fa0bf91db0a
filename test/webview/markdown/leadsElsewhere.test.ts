// A link whose text is an address, and whose target is another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsElsewhere } from '../../../src/webview/markdown/leadsElsewhere.ts'

test('[T38] another host than the text names', () => {
  const cases: readonly (readonly [text: string, url: string, host: string | undefined])[] = [
    ['docs', 'https://example.com/a', undefined],
    ['https://example.com/a', 'https://example.com/a', undefined],
    ['example.com', 'https://www.example.com/', undefined],
    ['see https://example.com/a', 'https://evil.example/a', 'evil.example'],
    ['bank.example', 'https://evil.example/bank.example', 'evil.example'],
    ['https://bank.example', 'https://bank.example.evil.example:8443/', 'bank.example.evil.example:8443'],
    ['https://bank.example', 'https://bank.example@evil.example/', 'evil.example'],
    ['bank.example', 'https://xn--bnk-5cd.example/', 'xn--bnk-5cd.example'],
    ['ada@bank.example', 'mailto:ada@evil.example', 'evil.example'],
    ['ada@bank.example', 'mailto:ada@bank.example?subject=x', undefined],
    ['x', 'nonsense', undefined],
  ]
  for (const [text, url, host] of cases) assert.equal(leadsElsewhere(text, url), host, `${text} ${url}`)
})
