// `Formulas`: typesets formulas, a few milliseconds per frame, and remembers them.
import type { FormulaNode } from '../lazyFiles.ts'
import { formulaOf } from '../markdown/mathRules.ts'
import { lazyFile, lazyStyle } from './lazyFile.ts'

const maxKnown = 1_000
const frameMs = 8
/** A formula is some forty elements, which have to be laid out as well. */
const maxPerFrame = 40

type Typeset = (tex: string, isDisplay: boolean) => FormulaNode
/** `undefined`: the formula cannot be typeset. */
type Result = FormulaNode | undefined

class Formulas {
  readonly #known = new Map<string, Result>()
  readonly #waiting = new Map<() => void, string>()
  #drawnInFrame = 0
  #typeset: Promise<Typeset> | undefined

  /** `unknown` until it has been typeset, and while enough others are drawn in this frame. */
  get(source: string): Result | 'unknown' {
    if (!this.#known.has(source) || this.#drawnInFrame >= maxPerFrame) return 'unknown'
    if (this.#drawnInFrame++ === 0) requestAnimationFrame(() => this.#onFrame())
    return this.#known.get(source)
  }

  /** Calls `onDone` when the formula is known. The function that it returns ends the wait. */
  ask(source: string, onDone: () => void): () => void {
    if (this.#waiting.size === 0) void this.#begin()
    this.#waiting.set(onDone, source)
    return () => this.#waiting.delete(onDone)
  }

  async #begin(): Promise<void> {
    this.#typeset ??= load()
    try {
      const typeset = await this.#typeset
      this.#runSoon(typeset)
    } catch (fault) {
      this.#typeset = undefined
      this.#waiting.clear()
      throw fault
    }
  }

  #onFrame(): void {
    this.#drawnInFrame = 0
  }

  /** In the frame after the next, when those that are drawn now have been laid out. */
  #runSoon(typeset: Typeset): void {
    requestAnimationFrame(() => requestAnimationFrame(() => this.#run(typeset)))
  }

  #run(typeset: Typeset): void {
    const end = performance.now() + frameMs
    for (const [onDone, source] of [...this.#waiting].slice(0, maxPerFrame)) {
      this.#waiting.delete(onDone)
      if (!this.#known.has(source)) this.#keep(source, resultOf(source, typeset))
      onDone()
      if (performance.now() > end) break
    }
    if (this.#waiting.size > 0) this.#runSoon(typeset)
  }

  #keep(source: string, result: Result): void {
    const [oldest] = this.#known.keys()
    if (this.#known.size >= maxKnown && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(source, result)
  }
}

async function load(): Promise<Typeset> {
  const [typeset] = await Promise.all([lazyFile('math'), lazyStyle('math')])
  return typeset
}

function resultOf(source: string, typeset: Typeset): Result {
  const { tex, isDisplay } = formulaOf(source)
  try {
    return typeset(tex, isDisplay)
  } catch {
    return undefined
  }
}

export const formulas = new Formulas()
