// `KeptFocus`: returns the keyboard focus to where it was, and if that is gone, to what is nearest to it.

const focusable =
  ':is(button, input, select, textarea, summary, [tabindex="0"]):not(:disabled, [hidden], [type="file"], [tabindex="-1"])'

/** Where an element was, in case it goes away. */
interface Trace {
  readonly element: HTMLElement
  /** From its parent up to the body. */
  readonly ancestors: readonly HTMLElement[]
  /** Of the list item that it is in: the items after it and before it, the nearest first; and its number in its item. */
  readonly items: readonly HTMLElement[]
  readonly number: number
  readonly articles: readonly HTMLElement[]
}

/**
 * The browser forgets what has the focus in a page when something outside of the page receives it, and when it is removed
 * or disabled. The next key would then begin at the top of the page.
 */
export class KeptFocus {
  #trace = traceOf(document.activeElement)

  constructor() {
    document.addEventListener('focusin', ({ target }) => {
      this.#trace = traceOf(target)
    })
    new MutationObserver(() => this.#leaveRemoved()).observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['disabled'],
    })
    window.addEventListener('focus', () => this.#return())
  }

  /** What has the focus, or has it again when the page has. */
  get element(): HTMLElement | undefined {
    return this.#trace?.element
  }

  /** Runs often while an answer grows, so it asks for nothing that has the browser compute styles. */
  #leaveRemoved(): void {
    if (!this.#trace || document.activeElement !== document.body) return
    const { element } = this.#trace
    if (!element.isConnected || element.matches(':disabled')) this.#return()
  }

  #return(): void {
    if (!this.#trace || document.activeElement !== document.body || !document.hasFocus()) return
    const { element } = this.#trace
    focus(isFocusable(element) ? element : successorOf(this.#trace))
  }
}

const isFocusable = (element: HTMLElement) =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true })

function traceOf(target: EventTarget | null): Trace | undefined {
  if (!(target instanceof HTMLElement) || target === document.body) return undefined
  const item = target.closest('li')
  const article = target.closest('article')
  return {
    element: target,
    ancestors: ancestorsOf(target),
    items: item ? neighboursOf(item) : [],
    number: item ? focusablesIn(item).indexOf(target) : 0,
    articles: article ? neighboursOf(article) : [],
  }
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const { parentElement } = element
  return parentElement ? [parentElement, ...ancestorsOf(parentElement)] : []
}

function neighboursOf(element: HTMLElement): HTMLElement[] {
  const all = [...(element.parentElement?.children ?? [])].filter(other => other instanceof HTMLElement)
  const at = all.indexOf(element)
  return [...all.slice(at + 1), ...all.slice(0, at).reverse()].filter(
    ({ localName }) => localName === element.localName,
  )
}

function successorOf({ ancestors, items, number, articles }: Trace): HTMLElement | null | undefined {
  const left = ancestors.filter(({ isConnected }) => isConnected)
  const item = items.find(({ isConnected }) => isConnected)
  const inItem = item && focusablesIn(item)
  const within = left.find(({ localName }) => ['li', 'fieldset', 'article', 'main'].includes(localName))
  if (within?.localName === 'li') return focusablesIn(within)[0]
  if (inItem?.length) return inItem[number] ?? inItem.at(-1)
  if (within?.localName === 'fieldset') return focusablesIn(within)[0]
  if (within?.localName === 'article') return within
  return (
    articles.find(({ isConnected }) => isConnected) ??
    left.find(({ className }) => className === 'transcript')?.querySelector<HTMLElement>('[role="log"]') ??
    focusablesIn(document.body).find(isMainBox) ??
    focusablesIn(document.body)[0]
  )
}

/** The search of the history, which may cover the conversation, or the composer. */
const isMainBox = (element: HTMLElement) =>
  element.matches('.history-search') || element.parentElement?.className.startsWith('composer') === true

const focusablesIn = (element: HTMLElement) =>
  [...element.querySelectorAll<HTMLElement>(focusable)].filter(other =>
    other.checkVisibility({ visibilityProperty: true }),
  )

/** Without scrolling, because a press of the pointer may be what has returned the focus to the page. */
function focus(element: HTMLElement | null | undefined): void {
  if (!element) return
  if (!element.matches(focusable)) element.tabIndex = -1
  element.focus({ preventScroll: true })
}
