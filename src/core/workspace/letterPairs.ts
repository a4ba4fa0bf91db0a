// `LetterPairs`: how like a text is to others, by the pairs of neighbouring letters that they share (Dice's coefficient).

export class LetterPairs {
  readonly #counts = new Map<number, number>()
  readonly #left = new Map<number, number>()
  readonly #total: number

  constructor(text: string) {
    for (let at = 0; at + 1 < text.length; at++) {
      const pair = pairAt(text, at)
      this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1)
    }
    this.#total = Math.max(0, text.length - 1)
  }

  likeness(text: string): number {
    const total = this.#total + Math.max(0, text.length - 1)
    if (total === 0) return 0
    this.#left.clear()
    let common = 0
    for (let at = 0; at + 1 < text.length; at++) {
      const pair = pairAt(text, at)
      const left = this.#left.get(pair) ?? this.#counts.get(pair) ?? 0
      if (left === 0) continue
      common++
      this.#left.set(pair, left - 1)
    }
    return (2 * common) / total
  }
}

const pairAt = (text: string, at: number) => text.charCodeAt(at) * 0x1_0000 + text.charCodeAt(at + 1)
