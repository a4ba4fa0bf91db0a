// Types one file key by key against the completer in virtual time, and writes down what was seen.
import type { Clock } from '../../../src/base/clock.ts'
import type { ModelClient, ModelRequest } from '../../../src/core/model/modelClient.ts'
import { FakeClock } from '../../support/fakeClock.ts'
import { beforeCursor, CompleterAdapter, type Part } from './completerAdapter.ts'
import { EditorShim, type InlineItem } from './editorShim.ts'
import { FakeDocument } from './fakeDocument.ts'
import type { Acceptance, Key, Observation, View } from './observation.ts'
import { OracleModel } from './oracleModel.ts'
import { PlanSlots } from './planSlots.ts'
import { scheduleOf, type Typing } from './schedule.ts'
import type { Source } from './source.ts'
import { surprisesIn } from './surprises.ts'
import { type Stroke, strokes } from './typist.ts'
import { viewOf } from './view.ts'

export interface Conditions {
  readonly typing: Typing
  /** The editor closes brackets and quotes. */
  readonly closesPairs: boolean
  /** The suggestion list opens beside the typing. */
  readonly opensList: boolean
  /** The typist accepts what is true once there was time to read it. */
  readonly accepts: boolean
  /** Median time to the first token. */
  readonly firstTokenMs: number
  readonly firstTokenSigma: number
  readonly tokensPerSecond: number
  /** Chance that a word cannot be guessed. */
  readonly surprise: number
  readonly slots: number
  readonly releaseMs: number
  /** Parts of the completer that are switched off. */
  readonly without?: readonly Part[]
}

export interface Surroundings {
  readonly clock: Clock
  /** What the server answers at once, to this window and to others. */
  readonly slots: PlanSlots
  /** What the window has between its completer and the model. */
  readonly queued: (model: ModelClient) => ModelClient
  /** Whether one request more would not wait in that; it never would without this. */
  readonly hasFreeSlot?: () => boolean
  /** Whether one would be free beside it, and no chat is answered; so it is without this. */
  readonly hasExtraSlot?: () => boolean
}

/** Time to read a suggestion: to notice it, and for each of its characters. */
const NOTICE_MS = 250
const READ_CHARACTER_MS = 12
/** A single character is typed sooner than accepted. */
const LEAST_ACCEPTED_CHARS = 2
/** The replay goes on for so long after the last key. */
const REST_MS = 3_000

export async function replay(source: Source, seed: number, conditions: Conditions): Promise<Observation> {
  const clock = new FakeClock()
  const slots = new PlanSlots(conditions.slots, clock)
  const run = new Replay(source, seed, conditions, { clock, slots, queued: model => model })
  run.start()
  await untilIdle(clock)
  return run.observation
}

/** Moves the clock on until nothing waits for it. */
export async function untilIdle(clock: FakeClock): Promise<void> {
  while (clock.nextInMs !== undefined) await clock.advance(clock.nextInMs)
}

/** One window in which a file is typed. */
export class Replay {
  readonly #source: Source
  readonly #conditions: Conditions
  readonly #clock: Clock
  readonly #document: FakeDocument
  readonly #models: OracleModel
  readonly #shim: EditorShim
  readonly #completer: CompleterAdapter
  readonly #strokes: Generator<Stroke>
  /** Under which name the suggestions of each request come. */
  readonly #requestKeys = new WeakMap<ModelRequest, string>()
  readonly #keys: Key[] = []
  readonly #views: View[] = []
  readonly #acceptances: Acceptance[] = []
  #cancelKey = () => {}
  #cancelReading = () => {}
  /** The true text that is being read: its end in the file, and since when it is visible. */
  #reading: { readonly end: number; readonly length: number; readonly since: number } | undefined
  #isMistaken = false
  #endedAt: number | undefined

  constructor(source: Source, seed: number, conditions: Conditions, surroundings: Surroundings) {
    const { clock, slots, queued, ...room } = surroundings
    const { text, start, end, language } = source
    const { closesPairs, opensList, typing, without = [], ...model } = conditions
    const document = new FakeDocument({
      text: text.slice(0, start) + text.slice(end),
      cursor: start,
      language,
      closesPairs,
    })
    const keyOf = (request: ModelRequest) => this.#requestKeys.get(request) ?? ''
    this.#source = source
    this.#conditions = conditions
    this.#clock = clock
    this.#document = document
    this.#models = new OracleModel({ ...model, slots, source, seed, clock, beforeCursor, keyOf })
    const models = this.#named(queued(this.#models))
    this.#completer = new CompleterAdapter({ source, document, models, clock, without, ...room })
    this.#shim = new EditorShim({ document, provider: this.#completer, clock, opensList })
    this.#shim.onDidRedraw(() => this.#look())
    this.#strokes = strokes(source, scheduleOf(source, seed, typing), document)
  }

  start(): void {
    this.#pressNext()
  }

  /** The file is typed. */
  get isEnded(): boolean {
    return this.#endedAt !== undefined
  }

  get observation(): Observation {
    return {
      source: this.#source,
      tokensPerSecond: this.#conditions.tokensPerSecond,
      firstTokenMs: this.#conditions.firstTokenMs,
      surprises: surprisesIn(this.#source, this.#conditions.surprise),
      keys: this.#keys,
      views: this.#views,
      requests: this.#models.requests,
      acceptances: this.#acceptances,
      endedAt: this.#endedAt ?? this.#clock.elapsed(),
      typedText: this.#document.text,
    }
  }

  #named(models: ModelClient): ModelClient {
    return {
      stream: (request, signal) => {
        this.#requestKeys.set(request, this.#completer.requestKey)
        return models.stream(request, signal)
      },
    }
  }

  #pressNext(): void {
    const next = this.#strokes.next()
    this.#cancelKey = next.done
      ? this.#clock.later(REST_MS, () => this.#end())
      : this.#clock.later(next.value.gapMs, () => this.#press(next.value))
  }

  #press({ press, isMistaken }: Stroke): void {
    const { version } = this.#document
    press()
    this.#isMistaken = isMistaken
    const { version: now, cursor: offset } = this.#document
    this.#keys.push({ at: this.#clock.elapsed(), offset, isMistaken, isChange: now !== version })
    this.#look()
    this.#pressNext()
  }

  #end(): void {
    this.#endedAt = this.#clock.elapsed()
    this.#cancelReading()
    this.#shim.dispose()
    this.#completer.dispose()
  }

  #look(): void {
    const item = this.#shim.visible
    const view = viewOf(item, this.#document, this.#source.text)
    this.#views.push({ ...view, at: this.#clock.elapsed(), key: this.#keys.length - 1 })
    if (this.#conditions.accepts) this.#read(item, view)
  }

  /** Typing through a text does not begin its reading anew. */
  #read(item: InlineItem | undefined, { isTrue, trueLength }: Pick<View, 'isTrue' | 'trueLength'>): void {
    const end = this.#document.cursor + trueLength
    const mayAccept = item && isTrue && !this.#isMistaken && trueLength >= LEAST_ACCEPTED_CHARS
    this.#cancelReading()
    if (!mayAccept || end > this.#source.end) {
      this.#reading = undefined
      return
    }
    const since = this.#clock.elapsed()
    if (this.#reading?.end !== end) this.#reading = { end, length: trueLength, since }
    const { length, since: began } = this.#reading
    const readAt = began + NOTICE_MS + READ_CHARACTER_MS * length
    this.#cancelReading = this.#clock.later(readAt - since, () => this.#accept(item))
  }

  #accept(item: InlineItem): void {
    const from = this.#document.cursor
    this.#cancelKey()
    this.#reading = undefined
    // The range may have moved along since the item was seen.
    this.#shim.accept(this.#shim.visible ?? item)
    const at = this.#clock.elapsed()
    this.#acceptances.push({ at, characters: this.#document.cursor - from })
    this.#look()
    this.#pressNext()
  }
}
