// `EditorOffers`: the active file and the selection in it, as long as there are such.
import { TabInputText, TabInputWebview, type TextEditor, window } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { DisposableStore, onEnd } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import type { OfferSource } from '../../core/context/combinedSources.ts'
import type { Offers } from '../../core/context/contextSources.ts'
import { lineRange } from '../ui/lineRange.ts'

const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-notebook-cell']
/** A selection is reported when it has come to rest. */
const SETTLE_MS = 120

export class EditorOffers implements OfferSource {
  readonly #changed = new Emitter<Offers>()
  readonly #life = new DisposableStore()
  readonly #clock: Clock
  #current: Offers = {}
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#current = offersOf(window.activeTextEditor)
    this.#life.add(window.onDidChangeActiveTextEditor(() => this.#soon()))
    this.#life.add(window.onDidChangeTextEditorSelection(() => this.#soon()))
    this.#life.add(window.tabGroups.onDidChangeTabs(() => this.#soon()))
    this.#life.add(onEnd(() => this.#cancelTimer?.()))
    this.#life.add(this.#changed)
  }

  get current(): Offers {
    return this.#current
  }

  get onDidChange(): Event<Offers> {
    return this.#changed.event
  }

  dispose(): void {
    this.#life.dispose()
  }

  #soon(): void {
    this.#cancelTimer ??= this.#clock.later(SETTLE_MS, () => this.#update())
  }

  #update(): void {
    this.#cancelTimer = undefined
    if (!window.activeTextEditor && this.#remains()) return
    const offers = offersOf(window.activeTextEditor)
    if (JSON.stringify(offers) === JSON.stringify(this.#current)) return
    this.#current = offers
    this.#changed.fire(offers)
  }

  /** The chat takes the focus from the editor; what was offered remains while it is in view, or behind the chat. */
  #remains(): boolean {
    if (window.visibleTextEditors.length > 0) return true
    const { activeFile } = this.#current
    return activeFile !== undefined && isPageInFront() && isOpenInTab(activeFile.uri)
  }
}

/** Such as a chat in a tab, which covers the editor. */
function isPageInFront(): boolean {
  return window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputWebview
}

function isOpenInTab(uri: string): boolean {
  const tabs = window.tabGroups.all.flatMap(group => group.tabs)
  return tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === uri)
}

function offersOf(editor: TextEditor | undefined): Offers {
  if (!editor || !schemes.includes(editor.document.uri.scheme)) return {}
  const uri = editor.document.uri.toString()
  const { selection } = editor
  const activeFile = { source: 'file', uri } as const
  return selection.isEmpty
    ? { activeFile }
    : { activeFile, selection: { source: 'selection', uri, range: lineRange(selection) } }
}
