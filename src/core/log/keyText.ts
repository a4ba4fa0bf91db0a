// `KeyText`: finds and removes API keys in text that is to be sent or stored.
import { KEY_MASK, withoutKeys } from '../../base/keyShape.ts'

/** A secret that can be masked in a text without being revealed. */
export interface SecretText {
  /** `text` with `mask` in place of the secret. */
  maskIn(text: string, mask: string): string
}

/** Finds keys by their shape, and the one in use by its value, whatever its shape. */
export class KeyText {
  readonly #current: () => SecretText | undefined

  constructor(current: () => SecretText | undefined) {
    this.#current = current
  }

  isIn(text: string): boolean {
    return this.without(text) !== text
  }

  without(text: string): string {
    const shapeless = withoutKeys(text)
    return this.#current()?.maskIn(shapeless, KEY_MASK) ?? shapeless
  }

  /** The value with keys removed from every text in it, at any depth; the same object where there was none. */
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
