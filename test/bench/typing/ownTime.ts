// How much of the extension host's time a key takes (M10b): processor time, with a model that answers at once.
import { AbortedError } from '../../../src/base/abort.ts'
import type { ModelClient, ModelEvent } from '../../../src/core/model/modelClient.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { percentile } from '../numbers.ts'
import type { Row } from '../row.ts'
import { CompleterAdapter } from './completerAdapter.ts'
import { FakeDocument } from './fakeDocument.ts'
import { readSources, type Source } from './source.ts'

const LEAST_KEYS = 200
const ROUNDS = 3
/** The largest is the largest that is completed. */
const sizes = [
  { name: '5 KB', chars: 5_000 },
  { name: '200 KB', chars: 200_000 },
  { name: '1 MB', chars: 990_000 },
]
const NEIGHBOURS = 20
const NEIGHBOUR_CHARS = 50_000

export async function ownTime(): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, chars } of sizes) {
    const { quiet, longest } = await measured(chars, [])
    rows.push({ what: `own time of a key, ${name}, p50`, value: percentile(quiet, 0.5), unit: 'ms' })
    rows.push({ what: '  p99', value: percentile(quiet, 0.99), unit: 'ms' })
    rows.push({ what: '  longest stretch of one that asks', value: longest, unit: 'ms' })
  }
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, at) => ({
    path: `neighbour${at}.ts`,
    text: textOf(NEIGHBOUR_CHARS, at),
  }))
  const { longest } = await measured(50_000, neighbours)
  return [...rows, { what: `  with ${NEIGHBOURS} open files of 50 KB`, value: longest, unit: 'ms' }]
}

interface Measured {
  /** Milliseconds of each key that made no request. */
  readonly quiet: readonly number[]
  /** The longest time that a key that made a request, or a part of its answer, took. */
  readonly longest: number
}

interface Keystroke {
  readonly asks: boolean
  /** Of the key until the event loop goes on. */
  readonly ms: number
  /** The longest turn of the event loop up to the request, or with a part of its answer. */
  readonly longest: number
}

/** Of each key the least of all rounds, because the compiler and the garbage collector only add to it. */
async function measured(chars: number, neighbours: readonly Pick<Source, 'path' | 'text'>[]): Promise<Measured> {
  const rounds: Keystroke[][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await typed(chars, neighbours))
  const [first = []] = rounds
  const least = first.map(({ asks }, at) => ({
    asks,
    ms: Math.min(...rounds.map(round => round[at]?.ms ?? Number.POSITIVE_INFINITY)),
    longest: Math.min(...rounds.map(round => round[at]?.longest ?? Number.POSITIVE_INFINITY)),
  }))
  return {
    quiet: least.filter(({ asks }) => !asks).map(({ ms }) => ms),
    longest: Math.max(...least.filter(({ asks }) => asks).map(({ longest }) => longest)),
  }
}

/** Types on in the middle of a file; each key waits until the answer has come. */
async function typed(chars: number, neighbours: readonly Pick<Source, 'path' | 'text'>[]): Promise<Keystroke[]> {
  const truth = textOf(chars, 0)
  const start = truth.indexOf('\n', chars / 2) + 1
  const end = truth.indexOf('\n', start + LEAST_KEYS)
  const text = truth.slice(0, start) + truth.slice(end)
  const document = new FakeDocument({ text, cursor: start, language: 'typescript', closesPairs: false })
  const model = new PromptModel(() => truth.slice(document.cursor, document.cursor + LONGEST_ANSWER_CHARS))
  const source = { path: 'typed.ts', language: 'typescript', indent: '  ' }
  const clock = new FakeClock()
  const adapter = new CompleterAdapter({ source, document, models: model, clock, neighbours })
  const keystrokes: Keystroke[] = []
  let changed = () => {}
  document.onDidChange(change => {
    changed = () => adapter.changed(change)
  })
  for (const character of truth.slice(start, end)) {
    // What the editor does is not ours.
    document.type(character)
    const { requests } = model
    model.beginStretch()
    const began = processorMs()
    changed()
    const key = new AbortController()
    void adapter.provide({}, key.signal)
    await settled()
    const ms = processorMs() - began
    model.endTurn()
    await model.whenRead()
    await clock.advance(KEY_MS)
    key.abort(cancelled)
    keystrokes.push({ asks: model.requests > requests, ms, longest: model.longest })
  }
  adapter.dispose()
  return keystrokes
}

const LONGEST_ANSWER_CHARS = 300
const CHUNK_CHARS = 12
const KEY_MS = 500
const cancelled = new AbortedError('the next key')

/** Answers at once, and measures the turns of the event loop in which it is asked and read. */
class PromptModel implements ModelClient {
  readonly #answer: () => string
  /** Undefined outside of a turn that is measured. */
  #began: number | undefined
  requests = 0
  longest = 0
  #reading: Promise<void> = Promise.resolve()

  constructor(answer: () => string) {
    this.#answer = answer
  }

  beginStretch(): void {
    this.#began = processorMs()
    this.longest = 0
  }

  endTurn(): void {
    this.#began = undefined
  }

  /** The answer is read, or the client has ended it. */
  whenRead(): Promise<void> {
    return this.#reading
  }

  stream(): AsyncIterable<ModelEvent> {
    this.requests++
    this.#endStretch()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#reading = promise
    return this.#answerUntil(resolve)
  }

  async *#answerUntil(isRead: () => void): AsyncGenerator<ModelEvent> {
    const answer = `<insert>${this.#answer()}</insert>`
    try {
      for (let at = 0; at < answer.length; at += CHUNK_CHARS) {
        // Each part of an answer comes in a turn of its own.
        await settled()
        this.#began = processorMs()
        yield { kind: 'text-delta', text: answer.slice(at, at + CHUNK_CHARS) }
        this.#endStretch()
        this.endTurn()
      }
      yield { kind: 'finish', why: 'done' }
    } finally {
      isRead()
    }
  }

  #endStretch(): void {
    if (this.#began !== undefined) this.longest = Math.max(this.longest, processorMs() - this.#began)
  }
}

/** Of this process: unlike the clock's time it does not depend on what else runs on the machine. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** TypeScript of this length, with names that differ from one `variant` to another. */
function textOf(chars: number, variant: number): string {
  const texts = readSources().filter(({ language }) => language === 'typescript')
  let text = ''
  for (let at = 0; text.length < chars; at++) {
    const part = texts[at % texts.length]?.text ?? ''
    text += part.replace(/\b(?:Answer|Parcel|Term)(?=\w*\b)/g, name => `${name}${variant}x${at}`)
  }
  return text.slice(0, chars)
}
