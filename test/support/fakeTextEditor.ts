// An editor in which a document is open: its cursor, what is drawn in it, and the edits that are made through it.
import type * as vscode from 'vscode'
import type { FakeTextDocument } from './fakeTextDocument.ts'
import { fakeEditor, Position, Range, Selection } from './fakeVscode.ts'

interface Made {
  readonly range: Range
  readonly text: string
}

export class FakeTextEditor {
  readonly document: FakeTextDocument
  selections: Selection[] = [new Selection(new Position(0, 0), new Position(0, 0))]
  visibleRanges: Range[]
  readonly drawn = new Map<unknown, readonly vscode.DecorationOptions[]>()
  readonly edits: Made[] = []
  options = {}

  constructor(document: FakeTextDocument, visibleLines = 50) {
    this.document = document
    this.visibleRanges = [new Range(0, 0, visibleLines - 1, 0)]
  }

  get selection(): Selection {
    return this.selections[0] ?? new Selection(new Position(0, 0), new Position(0, 0))
  }

  /** As the editor's own type, of which it has what is read. */
  get asEditor(): vscode.TextEditor {
    return this as unknown as vscode.TextEditor
  }

  moveTo(line: number, character: number): void {
    this.selections = [new Selection(new Position(line, character), new Position(line, character))]
    fakeEditor.selectionChanged.fire({ textEditor: this.asEditor, selections: [], kind: undefined })
  }

  setDecorations(type: unknown, options: readonly vscode.DecorationOptions[]): void {
    this.drawn.set(type, options)
  }

  /** The texts that are drawn behind lines, and the lines. */
  get texts(): readonly string[] {
    return [...this.drawn.values()].flat().flatMap(({ range, renderOptions }) => {
      const text = renderOptions?.after?.contentText
      return text === undefined ? [] : [`${range.start.line}: ${text}`]
    })
  }

  async edit(make: (builder: { replace(range: Range, text: string): void }) => void): Promise<boolean> {
    make({ replace: (range, text) => this.edits.push({ range, text }) })
    return true
  }
}
