// `BaselineDocuments`: the left side of the diffs: a file without the open changes of a conversation.
import { EventEmitter, type TextDocumentContentProvider, Uri, workspace } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import { lazy } from '../../base/lazy.ts'
import type { Changes } from '../../core/tools/changes.ts'
import { objectOf, parsedJson, textOf } from '../../protocol/json.ts'

export const BASELINE_SCHEME = 'kourier-before'

interface Baseline {
  readonly conversation: string
  readonly uri: string
  /** Without the changes of this turn alone. */
  readonly turn?: string | undefined
}

/** How long after a keystroke the left side follows. */
const FOLLOW_MS = 150

/** The path is that of the file, so that the editor shows the same language on both sides. */
export function baselineUri({ conversation, uri, turn }: Baseline): Uri {
  const { path } = Uri.parse(uri, true)
  return Uri.from({ scheme: BASELINE_SCHEME, path, query: JSON.stringify({ conversation, uri, turn }) })
}

function baselineOf({ query }: Uri): Baseline {
  const read = objectOf(parsedJson(query)) ?? {}
  const turn = textOf(read['turn'])
  return { conversation: textOf(read['conversation']), uri: textOf(read['uri']), ...(turn && { turn }) }
}

/** `changes` is loaded when the editor first asks for a left side. */
export class BaselineDocuments implements TextDocumentContentProvider, Disposable {
  readonly #changes: () => Promise<Changes>
  readonly #clock: Clock
  readonly #changed = new EventEmitter<Uri>()
  readonly #disposables = new DisposableStore()
  readonly onDidChange = this.#changed.event
  readonly #followed = lazy(() => this.#follow())
  #cancel: (() => void) | undefined

  constructor(changes: () => Promise<Changes>, clock: Clock) {
    this.#changes = changes
    this.#clock = clock
    this.#disposables.add(this.#changed)
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const { conversation, uri: file, turn } = baselineOf(uri)
    const changes = await this.#followed()
    const { stack, whole } = await changes.review(conversation, file)
    if (stack) return stack.baseline(one => turn === undefined || one === turn)
    const [deleted] = whole
    return (deleted && (await changes.textBefore(deleted))) ?? ''
  }

  async #follow(): Promise<Changes> {
    const changes = await this.#changes()
    this.#disposables.add(changes.onDidChange(conversation => this.#refresh(one => one.conversation === conversation)))
    this.#disposables.add(
      workspace.onDidChangeTextDocument(({ document }) => this.#refreshSoon(document.uri.toString())),
    )
    return changes
  }

  #refreshSoon(uri: string): void {
    if (!open().some(one => baselineOf(one).uri === uri)) return
    this.#cancel?.()
    this.#cancel = this.#clock.later(FOLLOW_MS, () => this.#refresh(one => one.uri === uri))
  }

  #refresh(isMeant: (baseline: Baseline) => boolean): void {
    for (const uri of open()) if (isMeant(baselineOf(uri))) this.#changed.fire(uri)
  }

  dispose(): void {
    this.#cancel?.()
    this.#disposables.dispose()
  }
}

const open = () => workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === BASELINE_SCHEME)
