// The service's time, which a test can move forward.
export class Clock {
  #aheadMs = 0

  now(): number {
    return Date.now() + this.#aheadMs
  }

  advance(ms: number): void {
    this.#aheadMs += ms
  }
}
