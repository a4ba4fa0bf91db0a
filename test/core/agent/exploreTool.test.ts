// A question about the workspace is answered in a conversation of its own, with tools that only read.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AbortedError } from '../../../src/base/abort.ts'
import { exploreTool } from '../../../src/core/agent/exploreTool.ts'
import type { SurfaceId } from '../../../src/core/model/surfaceIds.ts'
import { surfaceIds } from '../../../src/core/model/surfaceIds.ts'
import { maskedTool } from '../../../src/core/tools/maskedTool.ts'
import { SecretTrace } from '../../../src/core/tools/secretTrace.ts'
import { SecretValues } from '../../../src/core/tools/secretValues.ts'
import type { Tool } from '../../../src/core/tools/tool.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { callOf, echo, scriptedTool, TurnFixture, text } from '../../support/turnFixture.ts'
import { eventually } from '../../support/wire.ts'

const explore = (task: string) => callOf('explore', { task })

async function start(
  tools: readonly Tool[],
  { surface, planLimit = 3 }: { surface?: SurfaceId; planLimit?: number } = {},
) {
  let ids = 0
  const tool = exploreTool({
    tools: () => tools,
    models: { stream: (request, signal) => turn.models.stream(request, signal) },
    model: async () => turn.service.model,
    planLimit: () => planLimit,
    newId: () => `sub-${++ids}`,
    clock: new FakeClock(),
  })
  const turn = await TurnFixture.start({ tools: [tool, echo('edit', 'write')], ...(surface && { surface }) })
  return turn
}

const bodyText = (turn: TurnFixture, at: number) => JSON.stringify(turn.bodies[at])

for (const surface of surfaceIds) {
  test(`${surface}: it has its own history and the reading tools alone; the chat gets the report`, async () => {
    await using turn = await start([echo('read')], { surface })
    turn.service.replies.add(
      { toolCalls: [explore('Where is the parser?')] },
      { text: 'I look.', toolCalls: [callOf('read', { path: 'src/parser.ts' })] },
      { text: 'In `src/parser.ts:1`.' },
      { text: 'Done.' },
    )
    assert.equal((await turn.ask('Fix the parser, my secret plan.')).state, 'done')
    assert.deepEqual(turn.results, [['ok', 'In `src/parser.ts:1`.']])
    assert.deepEqual(turn.lanes, ['chat', 'agent', 'agent', 'agent'])
    assert.doesNotMatch(bodyText(turn, 1), /secret plan|"edit"|"explore"/)
    assert.match(bodyText(turn, 1), /Where is the parser/)
    assert.match(bodyText(turn, 2), /Data from read/)
    assert.doesNotMatch(turn.lastBody, /Data from read |I look/)
  })
}

describe('an exploration', () => {
  test('[A60] counts the value of a secret that it was not shown for the chat that explores', async () => {
    const [secrets, trace] = [new SecretValues({ DEPLOY_TOKEN: 'kN4zq7RtxyZ0' }), new SecretTrace()]
    const read = scriptedTool('read', 'read', async () => text("const token = 'kN4zq7RtxyZ0'"))
    const tool = exploreTool({
      tools: conversation => [maskedTool(read, { secrets, trace }, conversation)],
      models: { stream: (request, signal) => turn.models.stream(request, signal) },
      model: async () => turn.service.model,
      planLimit: () => 3,
      newId: () => crypto.randomUUID(),
      clock: new FakeClock(),
    })
    await using turn = await TurnFixture.start({ tools: [tool] })
    turn.service.replies.add(
      { toolCalls: [explore('q')] },
      { toolCalls: [callOf('read', { path: 'a.ts' })] },
      { text: 'Found.' },
      { text: 'Done.' },
    )
    await turn.ask('q')
    assert.ok(trace.has(turn.log.state.conversation))
  })

  test('shows which call it makes', async () => {
    const shown: string[] = []
    const tool = exploreTool({
      tools: () => [echo('read'), echo('search')],
      models: { stream: (request, signal) => turn.models.stream(request, signal) },
      model: async () => turn.service.model,
      planLimit: () => 3,
      newId: () => crypto.randomUUID(),
      clock: new FakeClock(),
    })
    const watched: Tool = {
      ...tool,
      run: (input, context, signal) => tool.run(input, { ...context, progress: words => shown.push(words) }, signal),
    }
    await using turn = await TurnFixture.start({ tools: [watched] })
    turn.service.replies.add(
      { toolCalls: [explore('q')] },
      { toolCalls: [callOf('search', { path: 'src' }), callOf('read', { path: 'a.ts' })] },
      { text: 'Found.' },
      { text: 'Done.' },
    )
    await turn.ask('q')
    assert.deepEqual(shown, ['search src', 'search src\nread a.ts'])
  })

  test('writes its report with the last of 25 requests', async () => {
    let calls = 0
    const read = scriptedTool('read', 'read', async () => text(`result ${++calls}`))
    await using turn = await start([read])
    turn.service.replies.add(
      { toolCalls: [explore('q')] },
      ...Array.from({ length: 24 }, (_, at) => ({ toolCalls: [callOf('read', { path: `${at}` })] })),
      { text: 'So far.' },
      { text: 'Done.' },
    )
    await turn.ask('q')
    assert.deepEqual([turn.results, calls, turn.bodies.length], [[['ok', 'So far.']], 24, 27])
    assert.match(bodyText(turn, 25), /You have no more requests/)
  })

  test('reports at most 8,000 characters, asks nobody, and its failure does not end the turn', async () => {
    const secret = scriptedTool('read', 'read', async () => text('never'), {
      prepare: async () => ({ is: 'ready', concerns: [{ is: 'secret', target: '.env' }] }),
    })
    await using turn = await start([secret])
    turn.service.replies.add(
      { toolCalls: [explore('q')] },
      { toolCalls: [callOf('read')] },
      { text: 'x'.repeat(9_000) },
      { toolCalls: [explore('q')] },
      { text: 'Cut', finishReason: 'length' },
      { text: 'Done.' },
    )
    assert.equal((await turn.ask('q')).state, 'done')
    assert.match(bodyText(turn, 2), /The user declined this call.*Nobody is asked during an exploration/)
    assert.equal(turn.results[0]?.[1].length, 8_000)
    assert.deepEqual(turn.results[1], [
      'error',
      'It ended without a report (length). This is what it had written:\nCut',
    ])
  })

  test('ends with the stop of the turn, and holds no slot', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const stuck = scriptedTool('read', 'read', () => {
      begin()
      return new Promise(() => {})
    })
    await using turn = await start([stuck])
    turn.service.replies.add({ toolCalls: [explore('q'), explore('r')] }, { toolCalls: [callOf('read')] })
    const asking = turn.ask('q')
    await begun
    turn.stop.abort(new AbortedError())
    assert.equal((await asking).state, 'stopped')
    await eventually('every slot is back', () => turn.isReleased)
  })

  for (const [planLimit, atOnce] of [
    [3, 1],
    [7, 4],
  ] as const) {
    test(`runs ${atOnce} at once at a plan of ${planLimit}`, async () => {
      let [running, most] = [0, 0]
      const waiting: (() => void)[] = []
      const read = scriptedTool('read', 'read', async () => {
        most = Math.max(most, ++running)
        // Those that may run together have all begun before the first of them ends.
        if (running < atOnce) await new Promise<void>(done => waiting.push(done))
        for (const go of waiting.splice(0)) go()
        running--
        return text('r')
      })
      const turn = await start([read], { planLimit })
      await using _ = turn
      const explorations = Array.from({ length: 4 }, (__, at) => explore(`task ${at}`))
      turn.service.replies.add({ toolCalls: explorations })
      const replies = planLimit === 3 ? [0, 1, 2, 3].flatMap(() => [0, 1]) : [0, 0, 0, 0, 1, 1, 1, 1]
      turn.service.replies.add(
        ...replies.map(kind => (kind === 0 ? { toolCalls: [callOf('read')] } : { text: 'Found.' })),
        { text: 'Done.' },
      )
      await turn.ask('q')
      assert.deepEqual([most, turn.results.map(String)], [atOnce, Array.from({ length: 4 }, () => 'ok,Found.')])
    })
  }
})
