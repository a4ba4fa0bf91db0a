// Which names in prose and in inline code are asked about, and that nothing of the text is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeCandidate, isSymbolLike, linkCandidates } from '../../../src/webview/markdown/linkCandidates.ts'

const files = (text: string) => linkCandidates(text).flatMap(({ kind, text }) => (kind ? [text] : []))

test('paths and file names in prose', () => {
  assert.deepEqual(files('See src/a.ts:12, (lib/b.py) and README.md.'), ['src/a.ts:12', 'lib/b.py', 'README.md'])
  assert.deepEqual(files('In "src\\a.ts" or C:\\w\\a.ts: done'), ['src\\a.ts', 'C:\\w\\a.ts'])
  assert.deepEqual(files('main.c#L3!'), ['main.c#L3'])
})

test('no addresses, versions, abbreviations, or what leads out', () => {
  const text = 'https://example.com/a.ts, e.g. this, i.e. v1.2, a.m. ../x.ts //h/x.ts 3.14 and/or ... a\u202e.ts'
  assert.deepEqual(files(text), [])
})

test('no character is lost or moved', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '.', '/', 'ts', ':', '1', ' ', ',', '(', ')', '`', '\\', '#L', '“', '…')),
      parts => {
        const text = parts.join('')
        assert.equal(
          linkCandidates(text)
            .map(part => part.text)
            .join(''),
          text,
        )
      },
    ),
    { numRuns: 2_000 },
  )
})

test('code names a file, a symbol or nothing', () => {
  const kinds = [
    'src/a.ts',
    'fooBar',
    'FooBar',
    'foo_bar()',
    'run()',
    'string',
    'npm run build',
    'FOO',
    'x',
    'a\u200bB',
  ]
  assert.deepEqual(
    kinds.map(text => codeCandidate(text).kind),
    ['file', 'symbol', 'symbol', 'symbol', 'symbol', undefined, undefined, undefined, undefined, undefined],
  )
  assert.equal(isSymbolLike('a'.repeat(100)), false)
})

test('a long text takes little time', () => {
  const started = performance.now()
  for (const unit of ['a.', 'a/', './', 'a.ts ', '(', ':1', 'a.ts:']) linkCandidates(unit.repeat(40_000))
  assert.ok(performance.now() - started < 5_000)
})
