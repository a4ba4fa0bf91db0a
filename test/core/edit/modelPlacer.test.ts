// What is taken from an answer that should be a whole file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ModelPlacer } from '../../../src/core/edit/modelPlacer.ts'
import type { FinishReason, ModelRequest } from '../../../src/core/model/modelClient.ts'

const { signal } = new AbortController()

/** The block is in the answer, unless it is named. */
async function placed(answer: string, file: string, { why = 'done' as FinishReason, block = '' } = {}) {
  const requests: ModelRequest[] = []
  const placer = new ModelPlacer({
    model: async () => 'model',
    models: {
      async *stream(request) {
        requests.push(request)
        yield { kind: 'text-delta', text: answer }
        yield { kind: 'finish', why }
      },
    },
  })
  return { text: await placer.place(file, block, signal), requests }
}

test('the file is what is in the fence, with the line end of the file', async () => {
  const { text, requests } = await placed('```ts\nconst a = 2\n```', 'const a = 1\n', { block: 'const a = 2' })
  assert.equal(text, 'const a = 2\n')
  assert.equal(requests[0]?.lane, 'edit')
  assert.match(JSON.stringify(requests[0]?.messages), /const a = 1.*const a = 2/)
  assert.equal((await placed('Here:\n````\n```x\n```\n````', 'a')).text, '```x\n```')
})

test('[T54] an answer that was cut, has no fence, leaves code out or is much too short is no file', async () => {
  const file = 'a line of the file\n'.repeat(20)
  assert.equal((await placed(`\`\`\`\n${file}\`\`\``, file, { why: 'length' })).text, undefined)
  assert.equal((await placed(`\`\`\`\n${file}`, file)).text, undefined)
  assert.equal((await placed(file, file)).text, undefined)
  assert.equal((await placed(`\`\`\`\n${file}// ... existing code ...\n\`\`\``, file)).text, undefined)
  assert.equal((await placed('```\nshort\n```', file)).text, undefined)
})

test('an answer without the block, or without most of the rest of the file, is no change by the block', async () => {
  const others = Array.from({ length: 20 }, (_, at) => `const value${at} = ${at}`)
  const file = `${others.join('\n')}\n`
  const block = '// ... existing code ...\nfunction total() {\n  return 1\n}\nconst last = total()'
  const answer = (lines: readonly string[]) => placed(`\`\`\`ts\n${lines.join('\n')}\n\`\`\``, file, { block })
  const own = ['function total() {', '  return 1', '}', 'const last = total()']
  assert.equal((await answer([...others, ...own])).text, [...others, ...own, ''].join('\n'))
  assert.notEqual((await answer([...others.slice(0, 8), ...own])).text, undefined)
  assert.equal((await answer([...others, 'function other() {', '  return 2', '}'])).text, undefined)
  assert.equal((await answer([...others.slice(0, 4), ...own, ...own, ...own])).text, undefined)
})
