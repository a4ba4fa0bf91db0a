// What the demo model does in a turn with tools, as a file has it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCommandLine, UsageError } from '../localService/options.ts'
import { readScenario } from '../localService/scenario.ts'
import { chat, serviceWithKey } from './caller.ts'

const scenario = {
  ask: 'weigh',
  tools: ['read_file'],
  answers: [
    { text: 'I look.', toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] },
    [
      { when: { result: 'declined' }, text: 'Then not.' },
      { when: { mode: 'Plan' }, text: 'The plan.' },
      { expect: ['two "grams"'], text: 'It weighs two.' },
    ],
  ],
}

function fileOf(value: unknown): { file: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-test-'))
  const file = join(folder, 'scenario.json')
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }]
const asked = (content: string) => ({ role: 'user', content })
const called = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{}' } }
const after = (content: string) => [
  { role: 'assistant', content: 'I look.', tool_calls: [called] },
  { role: 'tool', tool_call_id: 'c', content },
]

test('the answers follow each other, by the results and the mode', async () => {
  using written = fileOf(scenario)
  const { service, key } = await serviceWithKey({ scenarios: [readScenario(written.file)] })
  await using _ = service
  const answerTo = async (messages: readonly object[], offered: readonly object[] = tools) => {
    const { json } = await chat(service, key, {
      model: 'kourier-1-0815',
      messages,
      ...(offered.length > 0 && { tools: offered }),
    })
    assert.ok(json.choices, JSON.stringify(json))
    return json.choices[0].message
  }
  const first = await answerTo([asked('What does it WEIGH?')])
  assert.equal(first.content, 'I look.')
  assert.deepEqual(
    first.tool_calls.map((call: { function: object }) => call.function),
    [{ name: 'read_file', arguments: '{"path":"a.ts"}' }],
  )
  const attached = 'Attached file README.md:\n```md\nHow parcels weigh\n```\nWhat is this?'
  assert.match((await answerTo([asked(attached)])).content, /demo model/, 'what is attached is no question')
  const question = asked('<situation>\nMode: Ask. You may read.\n</situation>\nWhat does it weigh?')
  assert.equal((await answerTo([question, ...after('two "grams"')])).content, 'It weighs two.')
  assert.equal((await answerTo([question, ...after('The user declined.')])).content, 'Then not.')
  assert.match((await answerTo([question, ...after('three grams')])).content, /expected "two \\"grams\\""/)
  const planned = asked('<situation>\nMode: Plan. Read.\n</situation>\nWhat does it weigh?')
  assert.equal((await answerTo([planned, ...after('grams')])).content, 'The plan.')
  assert.match((await answerTo([asked('What does it weigh?')], [])).content, /demo model/, 'without the tool')
  assert.match((await answerTo([asked('Where is it?')])).content, /demo model/, 'another question')
})

test('a file that is no scenario is named with what is wrong in it', () => {
  for (const [value, problem] of [
    ['{', /JSON/],
    [[], /an object with `ask`/],
    [{ ...scenario, ask: '(' }, /no regular expression/],
    [{ ...scenario, tools: 'read_file' }, /`tools` is a list/],
    [{ ...scenario, answers: [] }, /`answers` is a list/],
    [{ ...scenario, answers: [{ txt: 'x' }] }, /no field 'txt'/],
    [{ ...scenario, extra: 1 }, /no field 'extra'/],
  ] as const) {
    using written = fileOf(value)
    const isRight = (fault: unknown) => fault instanceof UsageError && problem.test(fault.message)
    assert.throws(() => readCommandLine(['--scenario', written.file], {}), isRight)
  }
})
