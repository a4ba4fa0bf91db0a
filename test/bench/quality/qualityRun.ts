// `runQuality`: asks a model for each hole in each way, and adds up how right it is.
import type { Clock } from '../../../src/base/clock.ts'
import { cursorContextOf } from '../../../src/core/complete/cursorContext.ts'
import { completionRequest, type PromptMode, promptModes, promptParts } from '../../../src/core/complete/prompt.ts'
import { SnippetSelector } from '../../../src/core/complete/snippetSelector.ts'
import { shapeOf } from '../../../src/core/complete/trigger.ts'
import { ProblemError } from '../../../src/core/http/errors.ts'
import { collect } from '../../../src/core/model/collect.ts'
import type { ModelClient } from '../../../src/core/model/modelClient.ts'
import { textTokens } from '../../../src/core/model/tokenEstimate.ts'
import { splitAtCursor } from '../../../src/core/workspace/documentSnapshot.ts'
import { lineDiff } from '../../../src/core/workspace/lineDiff.ts'
import { type HoleKind, neighboursOf, type QualityHole } from './holes.ts'
import { type FormFault, formFaults, type Judgement, judged } from './judge.ts'

/** One way of asking. `without`: a source that is left out. */
export interface Way {
  readonly mode: PromptMode
  readonly without?: 'other files' | 'edits' | 'what is below'
}

export const ways: readonly Way[] = [
  ...promptModes.map(mode => ({ mode })),
  { mode: 'hole', without: 'other files' },
  { mode: 'hole', without: 'edits' },
  { mode: 'hole', without: 'what is below' },
]

export interface QualityRow {
  readonly way: Way
  readonly holes: number
  readonly exact: number
  readonly prefix: number
  readonly rightChars: number
  readonly faults: Readonly<Record<FormFault, number>>
  /** In milliseconds, the median. */
  readonly firstTextMs: number
  readonly tokens: number
  readonly exactByKind: ReadonlyMap<HoleKind, readonly [exact: number, of: number]>
  /** The service does not take requests of this mode. */
  readonly isRefused: boolean
}

export interface QualityOptions {
  readonly models: ModelClient
  readonly model: string
  readonly clock: Pick<Clock, 'elapsed'>
}

interface Asked extends Judgement {
  readonly kind: HoleKind
  readonly firstTextMs: number
  readonly tokens: number
}

export async function runQuality(way: Way, all: readonly QualityHole[], options: QualityOptions): Promise<QualityRow> {
  const asked: Asked[] = []
  try {
    for (const hole of all) asked.push(await ask(way, hole, options))
  } catch (fault) {
    if (!(fault instanceof ProblemError) || ![400, 422].includes(fault.status)) throw fault
    return rowOf(way, asked, true)
  }
  return rowOf(way, asked, false)
}

async function ask(
  { mode, without }: Way,
  hole: QualityHole,
  { models, model, clock }: QualityOptions,
): Promise<Asked> {
  const { snapshot } = hole
  const snippets = without === 'other files' ? [] : new SnippetSelector().select(snapshot, neighboursOf(snapshot))
  const edits = without === 'edits' ? [] : [lastEdit(hole)]
  const gathered = { declarations: [], cells: [], edits, problems: [], copied: '' }
  const parts = promptParts(snapshot, snippets, gathered)
  const shape = shapeOf(cursorContextOf(snapshot), false)
  const request = completionRequest(model, without === 'what is below' ? { ...parts, below: '' } : parts, shape, {
    mode,
  })
  const begunAt = clock.elapsed()
  let firstTextMs: number | undefined
  async function* timed() {
    for await (const event of models.stream(request, new AbortController().signal)) {
      if (event.kind === 'text-delta') firstTextMs ??= clock.elapsed() - begunAt
      yield event
    }
  }
  const collected = await collect(timed())
  const tokens = collected.usage?.output ?? textTokens(collected.text + collected.reasoning)
  return { ...judged(hole, collected, mode), kind: hole.kind, firstTextMs: firstTextMs ?? Number.NaN, tokens }
}

/** The two lines above the cursor, as if they had just been written. */
function lastEdit({ snapshot }: QualityHole): string {
  const { prefix } = splitAtCursor(snapshot)
  const lines = prefix.split('\n').slice(-4, -1)
  return `${snapshot.path}\n${lineDiff(`${lines[0] ?? ''}\n`, `${lines.join('\n')}\n`)}`
}

function rowOf(way: Way, asked: readonly Asked[], isRefused: boolean): QualityRow {
  const count = (isCounted: (one: Asked) => boolean) => asked.filter(isCounted).length
  const times = asked.map(({ firstTextMs }) => firstTextMs).filter(Number.isFinite)
  const kinds = new Map(Map.groupBy(asked, ({ kind }) => kind))
  return {
    ...{ way, isRefused, holes: asked.length },
    ...{ exact: count(({ isExact }) => isExact), prefix: count(({ isPrefix }) => isPrefix) },
    rightChars: asked.reduce((sum, one) => sum + one.rightChars, 0) / Math.max(1, asked.length),
    faults: Object.fromEntries(formFaults.map(fault => [fault, count(one => one.faults.includes(fault))])) as Record<
      FormFault,
      number
    >, // as: every fault is there
    firstTextMs: times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN,
    tokens: asked.reduce((sum, one) => sum + one.tokens, 0) / Math.max(1, asked.length),
    exactByKind: new Map(
      [...kinds].map(([kind, of]) => [kind, [of.filter(one => one.isExact).length, of.length] as const]),
    ),
  }
}
