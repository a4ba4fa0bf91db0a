// `ChangeLenses`: *Keep* and *Undo* above each open change in an editor.
import { CodeLens, type CodeLensProvider, EventEmitter, l10n, type TextDocument } from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { OpenHunk } from '../../core/tools/changeStack.ts'
import type { Changes } from '../../core/tools/changes.ts'
import type { CommandId } from '../ui/commands.ts'
import { rangeIn } from './textRange.ts'

/** What the commands of a lens are given. */
export interface HunkTarget {
  readonly conversation: string
  readonly uri: string
  readonly hunk: string
}

export class ChangeLenses implements CodeLensProvider, Disposable {
  readonly #changes: Changes
  readonly #changed = new EventEmitter<void>()
  readonly #disposables = new DisposableStore()
  readonly onDidChangeCodeLenses = this.#changed.event

  constructor(changes: Changes) {
    this.#changes = changes
    this.#disposables.add(this.#changed)
    this.#disposables.add(changes.onDidChange(() => this.#changed.fire()))
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    const uri = document.uri.toString()
    const found: CodeLens[] = []
    for (const conversation of this.#changes.openConversations) {
      if (!this.#changes.openFiles(conversation).includes(uri)) continue
      const { stack, hunks } = await this.#changes.review(conversation, uri)
      for (const hunk of hunks) if (stack) found.push(...lensesOf(stack.present, hunk, { conversation, uri }))
    }
    return found
  }

  dispose(): void {
    this.#disposables.dispose()
  }
}

function lensesOf(text: string, { id, range }: OpenHunk, file: Omit<HunkTarget, 'hunk'>): CodeLens[] {
  if (!range) return []
  const { start } = rangeIn(text, range)
  const place = rangeIn(text, { start: range.start, end: range.start }).with(start, start)
  const target: HunkTarget = { ...file, hunk: id }
  const lens = (title: string, command: CommandId) => new CodeLens(place, { title, command, arguments: [target] })
  return [lens(l10n.t('Keep'), 'kourier.changes.keepHunk'), lens(l10n.t('Undo'), 'kourier.changes.undoHunk')]
}
