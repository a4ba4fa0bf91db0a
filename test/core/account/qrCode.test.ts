// The page's address as a QR code: what is drawn is what a reader finds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCode } from '../../../src/core/account/qrCode.ts'

/** The modules again, from the path alone. */
function modulesOf({ size, path }: { size: number; path: string }): boolean[][] {
  const dark = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = 0; at < Number(width); at++) (dark[Number(y)] ?? [])[Number(x) + at] = true
  }
  return dark
}

const page = 'https://auth.example.com/claim?claim_attempt_token=cla_0123456789abcdef0123456789abcdef'

test('has the three finders in its corners and a quiet line around each', () => {
  const code = qrCode(page)
  assert.ok(code)
  assert.match(code.path, /^[Mhvz0-9 -]+$/)
  const dark = modulesOf(code)
  const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
  for (const [left, top] of [
    [0, 0],
    [code.size - 7, 0],
    [0, code.size - 7],
  ] as const) {
    const drawn = finder.map((_, y) =>
      dark[top + y]
        ?.slice(left, left + 7)
        .map(is => (is ? '#' : '.'))
        .join(''),
    )
    assert.deepEqual(drawn, finder)
  }
  assert.equal((code.size - 17) % 4, 0, 'a size that exists (ISO/IEC 18004)')
})

test('other addresses, other codes; one that is too long has none', () => {
  assert.notEqual(qrCode(page)?.path, qrCode(`${page}0`)?.path)
  assert.equal(qrCode(`https://auth.example.com/${'x'.repeat(2_000)}`), undefined)
})
