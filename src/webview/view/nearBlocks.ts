// `NearBlocks`: reports when elements enter or leave the viewport and its surroundings.
import { type Disposable, onEnd } from '../../base/disposable.ts'

const margin = '400px 0px'

export class NearBlocks {
  readonly #listeners = new Map<Element, (isNear: boolean) => void>()
  readonly #observer: IntersectionObserver

  constructor() {
    const report = (entries: readonly IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) this.#listeners.get(target)?.(isIntersecting)
    }
    // `scrollMargin`: the blocks are in an element that scrolls, to which `rootMargin` does not apply.
    const options = { rootMargin: margin, scrollMargin: margin }
    this.#observer = new IntersectionObserver(report, options)
  }

  watch(element: Element, listener: (isNear: boolean) => void): Disposable {
    this.#listeners.set(element, listener)
    this.#observer.observe(element)
    return onEnd(() => {
      this.#observer.unobserve(element)
      this.#listeners.delete(element)
    })
  }
}
