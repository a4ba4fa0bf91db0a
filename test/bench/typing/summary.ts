// All files typed under one setting, and their figures brought together.
import { percentile } from '../numbers.ts'
import { bootstrap, type Estimate, meanOf } from './bootstrap.ts'
import type { Observation } from './observation.ts'
import { type Conditions, replay } from './replay.ts'
import { type Score, scoreOf } from './score.ts'
import type { Setting } from './settings.ts'
import type { Source } from './source.ts'

/** Figures that are means over files of means over seeds. */
type Averaged = Exclude<
  { [K in keyof Score]: Score[K] extends number ? K : never }[keyof Score],
  'keys' | 'accepted' | 'peak' | 'serverPeak'
>

export interface Summary {
  readonly name: string
  /** Key strokes in all files and all seeds together. */
  readonly keys: number
  /** Some words surprise the model: only then the least number of requests is comparable. */
  readonly isSurprised: boolean
  readonly figures: Readonly<Record<Averaged, Estimate>>
  readonly peak: number
  readonly serverPeak: number
  /** Over all files: beyond the floor, and beyond the model's time; undefined if there was none. */
  readonly floorLatency: Spread | undefined
  readonly latency: Spread | undefined
  readonly reading: ReaderStats | undefined
}

export interface Spread {
  readonly p50: number
  readonly p95: number
}

/** What a reader accepts who takes each true suggestion once there was time to read it. */
export interface ReaderStats {
  /** Part of the typed characters, and the same by the part with a model that takes no time. */
  readonly accepted: number
  readonly acceptedRatio: number
  readonly nextTextP50: number
  /** Part of the accepted suggestions after which the next true text was there within 100 ms. */
  readonly nextTextAtOnce: number
}

const AT_ONCE_MS = 100

export async function summarize(
  { name, conditions, isAccepted }: Setting,
  sources: readonly Source[],
  seeds: readonly number[],
): Promise<Summary> {
  const scores = await scoresOf(conditions, sources, seeds)
  const flat = scores.flat()
  const estimate = (figure: Averaged) => bootstrap(scores.map(file => meanOf(file.map(score => score[figure]))))
  return {
    name,
    keys: flat.reduce((sum, { keys }) => sum + keys, 0),
    isSurprised: conditions.surprise > 0,
    figures: mapFigures(estimate),
    peak: Math.max(...flat.map(({ peak }) => peak)),
    serverPeak: Math.max(...flat.map(({ serverPeak }) => serverPeak)),
    floorLatency: spreadOf(flat.flatMap(({ floorLatencies }) => floorLatencies)),
    latency: spreadOf(flat.flatMap(({ latencies }) => latencies)),
    reading: isAccepted ? await readingOf(conditions, sources, seeds) : undefined,
  }
}

function mapFigures<T>(of: (figure: Averaged) => T): Record<Averaged, T> {
  return {
    requests: of('requests'),
    requestRatio: of('requestRatio'),
    plannedStops: of('plannedStops'),
    discarded: of('discarded'),
    tokenRatio: of('tokenRatio'),
    lateTokenRatio: of('lateTokenRatio'),
    wastedTokens: of('wastedTokens'),
    promptTokens: of('promptTokens'),
    uncachedTokens: of('uncachedTokens'),
    visible: of('visible'),
    possible: of('possible'),
    visibleRatio: of('visibleRatio'),
    visible200: of('visible200'),
    visibleTime: of('visibleTime'),
    helpful: of('helpful'),
    helpful200: of('helpful200'),
    helpfulTime: of('helpfulTime'),
    wrong: of('wrong'),
    flicker: of('flicker'),
    refused: of('refused'),
  }
}

function spreadOf(all: readonly number[]): Spread | undefined {
  return all.length === 0 ? undefined : { p50: percentile(all, 0.5), p95: percentile(all, 0.95) }
}

async function readingOf(
  conditions: Conditions,
  sources: readonly Source[],
  seeds: readonly number[],
): Promise<ReaderStats> {
  const read = { ...conditions, accepts: true }
  const scores = (await scoresOf(read, sources, seeds)).flat()
  const ideal = { ...read, firstTokenMs: 0, tokensPerSecond: Number.POSITIVE_INFINITY }
  const best = (await limitOf(ideal, sources, seeds)).flat()
  const nextTexts = scores.flatMap(score => score.nextTexts)
  const accepted = meanOf(scores.map(score => score.accepted))
  return {
    accepted,
    acceptedRatio: accepted / meanOf(best.map(score => score.accepted)),
    nextTextP50: percentile(nextTexts, 0.5),
    nextTextAtOnce: nextTexts.filter(ms => ms < AT_ONCE_MS).length / nextTexts.length,
  }
}

const limits = new Map<string, Promise<Score[][]>>()

/** Replayed once, since settings that differ in the model's time have the same limit. */
function limitOf(ideal: Conditions, sources: readonly Source[], seeds: readonly number[]): Promise<Score[][]> {
  const name = JSON.stringify([ideal, sources.map(({ path }) => path), seeds])
  const scores = limits.get(name) ?? scoresOf(ideal, sources, seeds)
  limits.set(name, scores)
  return scores
}

/** By file, then by seed. */
async function scoresOf(
  conditions: Conditions,
  sources: readonly Source[],
  seeds: readonly number[],
): Promise<Score[][]> {
  const files: Score[][] = []
  for (const source of sources) {
    const scores: Score[] = []
    for (const seed of seeds) scores.push(scoreOf(typedRight(await replay(source, seed, conditions))))
    files.push(scores)
  }
  return files
}

/** A run that ends with another text than the file's cannot be scored. */
export function typedRight(observation: Observation): Observation {
  const { source, typedText } = observation
  if (typedText !== source.text) throw new Error(`the replay of ${source.path} ended with another text:\n${typedText}`)
  return observation
}
