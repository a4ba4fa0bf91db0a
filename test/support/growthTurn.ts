// One long turn on a surface, in which results are left out and a summary is written; and what of it was sent changed.
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'
import { type Mode, modes } from '../../src/core/tools/modes.ts'
import { callOf, scriptedTool, TurnFixture, text } from './turnFixture.ts'

export interface TurnBytes {
  readonly requests: number
  /** Of blocks that had been sent before and came changed in the next request, outside trims. */
  readonly changedChars: number
  readonly omissions: number
  readonly summaries: number
  readonly modes: number
  readonly queued: number
}

const ROUNDS = 26

/** Reads, writes that a changed mode refuses, messages sent meanwhile. */
export async function longTurn(surface: SurfaceId): Promise<TurnBytes> {
  let mode: Mode = modes.edit
  let modeChanges = 0
  let queued = 0
  const read = scriptedTool('read_file', 'read', async ({ path }) =>
    text(`${path}: ${'const tide = [1, 2]\n'.repeat(60)}`),
  )
  const write = scriptedTool('write_file', 'write', async ({ path }) => text(`${path} is written.`))
  await using turn = await TurnFixture.start({
    ...{ surface, tools: [read, write], limit: 9_000, maxRequests: 100 },
    modeNow: () => mode,
    goOn: async () => true,
  })
  const trims: { readonly kind: string; readonly at: number }[] = []
  turn.log.onDidAppend(event => {
    if (event.kind === 'results-omitted' || event.kind === 'summary')
      trims.push({ kind: event.kind, at: turn.bodies.length })
    if (event.kind !== 'tool-result') return
    const round = turn.turn.steps.length
    if (round === 4 && mode === modes.edit) {
      mode = modes.plan
      modeChanges++
      void turn.log.append({ kind: 'mode', mode: mode.id })
    }
    if (round % 7 === 3 && queued < round / 7) {
      queued++
      void turn.queueMessage(`And mind number ${queued}.`)
    }
  })
  turn.service.replies.addAside({ match: 'Summarize this conversation', text: 'The goal is to read on.' })
  turn.service.replies.add(
    ...Array.from({ length: ROUNDS }, (_, at) => ({
      ...{ reasoning: `Round ${at}.`, tokens: [`Round ${at}: ${'I have looked at it, and go on. '.repeat(44)}`] },
      toolCalls: [
        callOf('read_file', { path: `src/a${at}.ts` }),
        ...(at % 5 === 0 ? [callOf('write_file', { path: `src/b${at}.ts` })] : []),
      ],
    })),
    { text: 'Done.' },
  )
  await turn.ask('Read on, please.')
  let changedChars = 0
  let before: readonly string[] = []
  for (const [at, blocks] of turn.blocks.entries()) {
    // The request for a summary ends with an instruction of its own, and may be shorter.
    if (isForSummary(blocks)) continue
    const isTrimmed = trims.some(
      trim => trim.at === at || (trim.at === at - 1 && isForSummary(turn.blocks[trim.at] ?? [])),
    )
    if (!isTrimmed)
      for (const [place, block] of before.entries()) if (blocks[place] !== block) changedChars += block.length
    before = blocks
  }
  const count = (kind: string) => trims.filter(trim => trim.kind === kind).length
  return {
    ...{ requests: turn.bodies.length, changedChars, modes: modeChanges, queued },
    ...{ omissions: count('results-omitted'), summaries: count('summary') },
  }
}

const isForSummary = (blocks: readonly string[]) => blocks.at(-1)?.includes('Summarize this conversation') === true
