import { readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../src/base/clock.ts'
import { WorkerTokenizer } from '../../../src/node/colour/workerTokenizer.ts'

const at = (p: string) => fileURLToPath(new URL(`../../../${p}`, import.meta.url))
test('x', async () => {
  const t = new WorkerTokenizer({
    script: at('src/node/colour/tokenizeWorker.ts'),
    wasm: at('node_modules/vscode-oniguruma/release/onig.wasm'),
    clock: systemClock,
  })
  t.setTheme([
    { settings: { foreground: '#01020304', background: '#000000' } },
    { scope: 'keyword', settings: { foreground: '#FF0000', fontStyle: 'bold' } },
    { scope: 'storage', settings: { foreground: '#FF0000' } },
  ])
  const g = at(
    'test/editor/node_modules/code-server/lib/vscode/extensions/typescript-basics/syntaxes/TypeScript.tmLanguage.json',
  )
  t.setGrammars({
    injections: {},
    readGrammar: async s => (s === 'source.ts' ? { path: g, text: readFileSync(g, 'utf8') } : undefined),
  })
  console.time('first')
  console.log(
    JSON.stringify(
      await t.tokenize(
        { block: 'a', scope: 'source.ts', from: 0, text: 'const a = 1\nif (x) return /*', isOpen: false },
        AbortSignal.timeout(9000),
      ),
    ),
  )
  console.timeEnd('first')
  console.log(
    JSON.stringify(
      await t.tokenize(
        { block: 'a', scope: 'source.ts', from: 2, text: 'const a = 1\nif */ (x) return', isOpen: false },
        AbortSignal.timeout(9000),
      ),
    ),
  )
  console.log(
    JSON.stringify(
      await t.tokenize(
        { block: 'a', scope: 'source.ts', from: 7, text: 'const a = 1\nif */ (x) return', isOpen: false },
        AbortSignal.timeout(9000),
      ),
    ),
  )
  const big = readFileSync(at('src/core/model/repair.ts'), 'utf8')
  console.time('big')
  console.log(big.length)
  await t.tokenize({ block: 'b', scope: 'source.ts', from: 0, text: big, isOpen: false }, AbortSignal.timeout(9000))
  console.timeEnd('big')
  t.dispose()
})
