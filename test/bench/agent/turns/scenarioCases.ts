// `scenarioCases`: what a model does in a turn, what the user answers, and what must be so at its end.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Approval, PendingCall } from '../../../../src/core/tools/approvals.ts'
import { type Mode, modes } from '../../../../src/core/tools/modes.ts'
import type { TurnEnd } from '../../../../src/protocol/conversation.ts'
import { demoScenarios, type Scenario, scenarioOf } from '../../../localService/scenario.ts'

export interface ScenarioCase {
  readonly name: string
  readonly mode: Mode
  readonly question: string
  readonly scenarios: readonly Scenario[]
  readonly files: Readonly<Record<string, string>>
  readonly answer: (call: PendingCall) => Approval
  readonly state: TurnEnd
  /** Of the last answer. */
  readonly words: RegExp
  /** What these files must match; undefined for no file. The others must be as they were. */
  readonly after: Readonly<Record<string, RegExp | undefined>>
  /** What the results of the calls must match, in their order. */
  readonly results?: readonly RegExp[]
}

const allowed = (): Approval => ({ is: 'allowed', scope: 'conversation' })
const denied = (): Approval => ({ is: 'denied', reason: 'not now' })

const sample = Object.fromEntries(
  ['postage.mjs', 'zones.mjs', 'postage.test.mjs'].map(name => [
    `desk/${name}`,
    readFileSync(join(import.meta.dirname, '../../../editor/sampleWorkspace/desk', name), 'utf8'),
  ]),
)
const repaired = { 'desk/postage.mjs': /Math\.ceil/, 'desk/zones.mjs': /RangeError/ }

const standard = (name: string, more: Partial<ScenarioCase>): ScenarioCase => ({
  ...{ name, mode: modes.edit, question: 'Fix the failing test of the postage.', scenarios: demoScenarios },
  ...{ files: sample, answer: allowed, state: 'done', words: /All three tests/, after: {}, ...more },
})

const call = (name: string, given: object | string) => ({ name, arguments: given })

const small = { 'a.ts': 'const one = 1\nconst two = 2\nconst three = 3\n', 'src/b.ts': 'export const b = 1\n' }

/** `answers`: as in a scenario's file. */
const played = (name: string, answers: readonly unknown[], more: Partial<ScenarioCase>): ScenarioCase => ({
  ...{ name, mode: modes.edit, question: 'Play it.', scenarios: [scenarioOf(name, { ask: 'play it', answers })] },
  ...{ files: small, answer: allowed, state: 'done', words: /^Done\.$/, after: {}, ...more },
})

const done = { text: 'Done.' }
const edit = (old_text: string, new_text: string) =>
  call('edit_file', { path: 'a.ts', edits: [{ old_text, new_text }] })
const read = call('read_file', { path: 'a.ts' })
const readWith = (...calls: object[]) => ({ toolCalls: calls })

export const scenarioCases: readonly ScenarioCase[] = [
  standard('a failing test is repaired in Edit', { after: repaired }),
  standard('a failing test is repaired in Ask', { mode: modes.ask, after: repaired }),
  standard('a failing test is repaired in Sandbox', { mode: modes.sandbox, after: repaired }),
  standard('a failing test is only planned in Plan', { mode: modes.plan, words: /Math\.ceil/ }),
  standard('the command is declined', { mode: modes.ask, answer: denied, words: /You declined the command/ }),
  standard('a change is declined', {
    ...{ mode: modes.ask, words: /You declined a change/ },
    answer: ({ tool }) => (tool.name === 'run_command' ? allowed() : denied()),
  }),
  played(
    'files are listed, searched, written, renamed and deleted',
    [
      readWith(call('list_files', {}), call('search_text', { pattern: 'const' })),
      readWith(call('write_file', { path: 'new/c.ts', text: 'export const c = 3\n' }), read),
      readWith(call('move_file', { from: 'new/c.ts', to: 'src/d.ts' }), call('delete_file', { path: 'a.ts' })),
      done,
    ],
    {
      after: { 'a.ts': undefined, 'src/d.ts': /c = 3/ },
      results: [/src\/b\.ts/, /const two/, /new\/c\.ts/, /lines 1 to 3/, /src\/d\.ts/, /a\.ts/],
    },
  ),
  played(
    'a refused edit is repaired by the text of the refusal',
    [
      readWith(read),
      readWith(edit('const two = 22\n', 'const two = 4\n')),
      { ...readWith(edit('const two = 2\n', 'const two = 4\n')), expect: ['const two = 2'] },
      done,
    ],
    { after: { 'a.ts': /two = 4/ }, results: [/lines 1 to 3/, /two = 2/, /lines? 2/] },
  ),
  played(
    'a command changes the file between reading and editing',
    [
      readWith(read),
      readWith(call('run_command', { command: "sed -i 's/three = 3/three = 33/' a.ts", why: 'To change it.' })),
      readWith(edit('const one = 1\n', 'const one = 11\n')),
      done,
    ],
    { after: { 'a.ts': /one = 11\n[\s\S]*three = 33/ }, results: [/lines 1 to 3/, /a\.ts/, /a\.ts/] },
  ),
  played(
    'an edit of lines that a command has changed is refused',
    [
      readWith(read),
      readWith(call('run_command', { command: "sed -i 's/one = 1/one = 100/' a.ts", why: 'To change it.' })),
      readWith(edit('const one = 1', 'const one = 11')),
      done,
    ],
    { after: { 'a.ts': /one = 100\n/ }, results: [/lines 1 to 3/, /a\.ts/, /one = 100/] },
  ),
  played(
    'an answer that was cut carries out nothing',
    [{ toolCalls: [call('write_file', { path: 'c.ts', text: 'c\n' })], finishReason: 'length' }, done],
    { results: [/was cut/] },
  ),
  played(
    'known slips of arguments are corrected, others are named',
    [
      readWith(call('read_file', { file_path: 'a.ts', from: '2' }), call('read_file', { path: 'a.ts', colour: 'red' })),
      readWith(call('read_file', 'no json {'), call('no_such_tool', {})),
      done,
    ],
    { results: [/lines 2 to 3/, /colour/, /JSON/, /no_such_tool/] },
  ),
  played(
    'three answers whose calls do not fit end the turn',
    [...Array.from({ length: 3 }, () => readWith(call('read_file', { colour: 'red' }))), done],
    { state: 'failed', words: /^$/ },
  ),
  played(
    'the same call with the same result is noticed and ends',
    [...Array.from({ length: 7 }, () => readWith(read)), done],
    { state: 'stopped', words: /^$/ },
  ),
  played(
    'a secret file is asked about',
    [readWith(call('read_file', { path: '.env' })), readWith(call('search_text', { pattern: 'canary' })), done],
    { files: { ...small, '.env': 'TOKEN=canary-1234\n' }, answer: denied, results: [/declined/, /No match/] },
  ),
  played(
    'nothing outside of the workspace is read or written',
    [
      readWith(call('read_file', { path: '../storage' }), call('write_file', { path: '/etc/kourier', text: 'x' })),
      done,
    ],
    { answer: denied, results: [/above the workspace/, /declined/] },
  ),
  played(
    'a protected file is asked about in Edit',
    [readWith(call('write_file', { path: '.vscode/tasks.json', text: '{}\n' })), done],
    { answer: denied, results: [/declined/] },
  ),
]
