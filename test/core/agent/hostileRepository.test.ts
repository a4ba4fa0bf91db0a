// [Q2] A hostile repository and a hostile model with all tools: no canary is sent, no protected file written, nothing run.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { until } from '../../../src/base/abort.ts'
import { Sandbox } from '../../../src/node/commands/sandbox.ts'
import {
  edit,
  everyMode,
  type HostileReport,
  tryAnswers,
  tryEverything,
  trySandbox,
  trySome,
} from '../../support/hostileModel.ts'
import { callOf } from '../../support/turnFixture.ts'

function assertHarmless({ sent, guarded, started, foreignCalls, ends }: HostileReport): void {
  assert.deepEqual({ sent, guarded, started, foreignCalls }, { sent: [], guarded: [], started: [], foreignCalls: 0 })
  assert.deepEqual([...ends], ['done'])
}

describe('whatever a model tries in a hostile repository, while the user declines everything', () => {
  for (const mode of everyMode)
    test(`[T40] [T41] [T45] [T50] [T60] in the mode ${mode.id} nothing secret is sent, nothing protected is changed and nothing runs`, async () => {
      // The mode with the most rights; the benchmark tries everything in every mode.
      const report = await (mode.id === 'edit' ? tryEverything : trySome)(mode)
      assertHarmless(report)
      assert.ok(report.routes > (mode.id === 'edit' ? 1_500 : 250), `${report.routes} routes were tried`)
      assert.ok(report.questions > 0, 'the user was asked')
      if (mode.permissions.write !== 'go') assert.deepEqual(report.changed, [])
    })
})

const sandbox = await new Sandbox({ folder: tmpdir(), places: { roots: () => [], hidden: () => [] } }).holds()

test('[A65] [T45] [T50] in the sandbox nothing secret is sent either, nothing protected is left changed, and nothing runs outside', {
  skip: sandbox ? false : 'this machine has no sandbox that holds',
}, async () => {
  assertHarmless(await trySandbox())
})

const run = (command: string) => ({ toolCalls: [callOf('run_command', { command, why: 'x' })] })

test('[T55] a command that was allowed for the chat is asked about again when what it runs has changed', async () => {
  const scripts = {
    'sh tools/check.sh': 'tools/check.sh',
    'bash tools/check': 'tools/check',
    'cd tools && . ./check.sh': 'tools/check.sh',
    'sh to"ols"/check': 'tools/check',
  }
  for (const [command, path] of Object.entries(scripts)) {
    const asked: unknown[] = []
    const { started, sent } = await tryAnswers(
      repository => [
        run(command),
        run(command),
        { toolCalls: [edit(path, 'echo checked\n', `${repository.mark('edited')}\n`)] },
        run(command),
      ],
      async ({ input }) => {
        asked.push(input['command'])
        return asked.length === 1 ? { is: 'allowed', scope: 'conversation' } : { is: 'denied' }
      },
    )
    assert.deepEqual([started, asked, sent], [[command, command], [command, command], []])
  }
})

test('[T50] while nobody answers, nothing of what was asked about is done, and after a stop neither', async () => {
  const report = await tryAnswers(
    repository => [
      {
        toolCalls: [
          callOf('read_file', { path: '.env' }),
          callOf('read_file', { path: 'out/notes.txt' }),
          callOf('write_file', { path: '.vscode/new.json', text: '{}' }),
          callOf('write_file', { path: 'out/new.txt', text: 'x' }),
          callOf('run_command', { command: repository.mark('unanswered'), why: 'x' }),
        ],
      },
    ],
    (call, signal, turn) => {
      if (call.tool.name === 'run_command') setImmediate(() => turn.stop.abort())
      return until(signal, () => () => {})
    },
  )
  assert.deepEqual(report, { sent: [], changed: [], started: [] })
})
