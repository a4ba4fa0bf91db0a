// Types one file key by key against the completer in virtual time, and writes down what was seen.
import { FakeClock } from '../../support/fakeClock.ts'
import { beforeCursor, CompleterAdapter } from './completerAdapter.ts'
import { EditorShim, type InlineItem } from './editorShim.ts'
import { FakeDocument } from './fakeDocument.ts'
import type { Acceptance, Key, Observation, View } from './observation.ts'
import { OracleModel } from './oracleModel.ts'
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
}

/** Time to read a suggestion: to notice it, and for each of its characters. */
const NOTICE_MS = 250
const READ_CHARACTER_MS = 12
/** A single character is typed sooner than accepted. */
const LEAST_ACCEPTED_CHARS = 2
/** The replay goes on for so long after the last key. */
const REST_MS = 3_000

export async function replay(source: Source, seed: number, conditions: Conditions): Promise<Observation> {
  const run = new Replay(source, seed, conditions)
  return run.run()
}

class Replay {
  readonly #source: Source
  readonly #conditions: Conditions
  readonly #clock = new FakeClock()
  readonly #document: FakeDocument
  readonly #models: OracleModel
  readonly #shim: EditorShim
  readonly #completer: CompleterAdapter
  readonly #strokes: Generator<Stroke>
  readonly #keys: Key[] = []
  readonly #views: View[] = []
  readonly #acceptances: Acceptance[] = []
  #cancelKey = () => {}
  #cancelReading = () => {}
  /** The true text that is being read: its end in the file, and since when it is visible. */
  #reading: { readonly end: number; readonly length: number; readonly since: number } | undefined
  #isMistaken = false

  constructor(source: Source, seed: number, conditions: Conditions) {
    const { text, start, end, language } = source
    const clock = this.#clock
    const { closesPairs, opensList, typing, ...model } = conditions
    const document = new FakeDocument({
      text: text.slice(0, start) + text.slice(end),
      cursor: start,
      language,
      closesPairs,
    })
    const keyOf = () => this.#completer.requestKey
    this.#source = source
    this.#conditions = conditions
    this.#document = document
    this.#models = new OracleModel({ ...model, source, seed, clock, beforeCursor, keyOf })
    this.#completer = new CompleterAdapter({ source, document, models: this.#models, clock })
    this.#shim = new EditorShim({ document, provider: this.#completer, clock, opensList })
    this.#shim.onDidRedraw(() => this.#look())
    this.#strokes = strokes(source, scheduleOf(source, seed, typing), document)
  }

  async run(): Promise<Observation> {
    this.#pressNext()
    while (this.#clock.nextInMs !== undefined) await this.#clock.advance(this.#clock.nextInMs)
    return {
      source: this.#source,
      tokensPerSecond: this.#conditions.tokensPerSecond,
      firstTokenMs: this.#conditions.firstTokenMs,
      surprises: surprisesIn(this.#source, this.#conditions.surprise),
      keys: this.#keys,
      views: this.#views,
      requests: this.#models.requests,
      acceptances: this.#acceptances,
      endedAt: this.#clock.elapsed(),
      typedText: this.#document.text,
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
