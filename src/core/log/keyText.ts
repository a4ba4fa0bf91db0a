// API keys in a text that is about to leave or to be kept.

/** The service's own prefix. Found in any place: a key that is glued to other words is still one. */
const SHAPE = /sk-bf-[A-Za-z0-9_-]{8,512}/g
const START = 'sk-bf-'
const MASK = 'sk-bf-…'

/** A secret that can be taken out of a text without being told. */
export interface SecretText {
  /** `text` with `mask` in place of the secret. */
  maskIn(text: string, mask: string): string
}

/** Knows keys by their shape, and the one in use by its value, whatever its shape. */
export class KeyText {
  readonly #current: () => SecretText | undefined

  constructor(current: () => SecretText | undefined) {
    this.#current = current
  }

  isIn(text: string): boolean {
    return this.without(text) !== text
  }

  without(text: string): string {
    const shapeless = text.includes(START) ? text.replace(SHAPE, MASK) : text
    return this.#current()?.maskIn(shapeless, MASK) ?? shapeless
  }

  /** The same value with every text in it cleaned, at any depth; the very same where there was nothing to clean. */
  withoutIn<T>(value: T): T {
    return this.#clean(value) as T
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return this.without(value)
    if (Array.isArray(value)) {
      const cleaned = value.map(item => this.#clean(item))
      return cleaned.some((item, at) => item !== value[at]) ? cleaned : value
    }
    if (typeof value !== 'object' || value === null) return value
    const cleaned = Object.entries(value).map(([name, item]) => [this.without(name), this.#clean(item)] as const)
    const isSame = cleaned.every(([name, item]) => item === Reflect.get(value, name))
    return isSame ? value : Object.fromEntries(cleaned)
  }
}
