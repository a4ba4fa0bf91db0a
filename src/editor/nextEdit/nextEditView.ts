// `NextEditView`: draws the next edit in the editor: what goes and what comes at its place, and a pointer where that is out of view.
import {
  type DecorationOptions,
  l10n,
  Position,
  Range,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode'
import { type Disposable, DisposableStore } from '../../base/disposable.ts'
import type { EditPreview } from '../../core/nextEdit/editPreview.ts'
import type { TrackedDocument } from '../../core/workspace/documents.ts'
import { rangeIn } from '../ui/positionIn.ts'

export interface ShownEdit {
  readonly document: TrackedDocument
  readonly preview: EditPreview
  /** Otherwise Tab indents, so there is no pointer that promises more. */
  readonly takesTab: boolean
}

/** Nothing of it takes room between the characters of the text. */
export class NextEditView implements Disposable {
  readonly #disposables = new DisposableStore()
  readonly #removed = this.#disposables.add(
    window.createTextEditorDecorationType({
      backgroundColor: new ThemeColor('diffEditor.removedTextBackground'),
      border: '1px solid',
      borderColor: new ThemeColor('diffEditor.removedTextBorder'),
    }),
  )
  readonly #line
  readonly #pointer = this.#disposables.add(window.createTextEditorDecorationType({}))
  #shown: ShownEdit | undefined
  #drawn: readonly TextEditor[] = []

  constructor(icon: Uri) {
    this.#line = this.#disposables.add(
      window.createTextEditorDecorationType({
        gutterIconPath: icon,
        gutterIconSize: 'contain',
        overviewRulerColor: new ThemeColor('editorOverviewRuler.addedForeground'),
      }),
    )
    const draw = () => this.#draw()
    this.#disposables.add(window.onDidChangeTextEditorVisibleRanges(draw))
    this.#disposables.add(window.onDidChangeVisibleTextEditors(draw))
    this.#disposables.add(window.onDidChangeTextEditorSelection(draw))
  }

  show(shown: ShownEdit | undefined): void {
    this.#shown = shown
    this.#draw()
  }

  dispose(): void {
    this.#disposables.dispose()
  }

  #draw(): void {
    const shown = this.#shown
    const editors = shown ? window.visibleTextEditors : []
    for (const editor of this.#drawn) if (!editors.includes(editor)) clear(editor, this.#types)
    this.#drawn = editors
    if (!shown) return
    for (const editor of editors) {
      const isHere = editor.document.uri.toString() === shown.document.uri
      const isCurrent = isHere && editor.document.version === shown.document.version
      editor.setDecorations(this.#removed, isCurrent ? removedOf(shown) : [])
      editor.setDecorations(this.#line, isCurrent ? [lineOf(shown, editor)] : [])
      editor.setDecorations(this.#pointer, pointerOf(shown, editor, isHere))
    }
  }

  get #types() {
    return [this.#removed, this.#line, this.#pointer]
  }
}

function clear(editor: TextEditor, types: readonly TextEditorDecorationType[]): void {
  for (const type of types) editor.setDecorations(type, [])
}

function removedOf({ document, preview }: ShownEdit): DecorationOptions[] {
  return preview.removed.map(range => ({ range: rangeIn(document.text, range), hoverMessage: keys() }))
}

/** The line that comes, behind the one beside which it is drawn. */
function lineOf({ preview }: ShownEdit, { document }: TextEditor): DecorationOptions {
  const end = document.lineAt(Math.min(preview.line, document.lineCount - 1)).range.end
  return { range: new Range(end, end), hoverMessage: keys(), renderOptions: { after: dimmed(textOf(preview)) } }
}

function textOf({ text, more }: EditPreview): string {
  if (more === 0) return text
  return more === 1
    ? l10n.t('{text} (1 more line)', { text })
    : l10n.t('{text} ({count} more lines)', { text, count: more })
}

/** Only in the editor in front, and only while the place itself is out of view. */
function pointerOf(
  { document, preview, takesTab }: ShownEdit,
  editor: TextEditor,
  isHere: boolean,
): DecorationOptions[] {
  if (!takesTab || editor !== window.activeTextEditor) return []
  if (!isHere) {
    const file = workspace.asRelativePath(Uri.parse(document.uri, true))
    return [pointerAt(editor, editor.selection.active.line, l10n.t('Tab: next edit in {file}', { file }))]
  }
  const first = editor.visibleRanges[0]?.start.line ?? 0
  const last = editor.visibleRanges.at(-1)?.end.line ?? 0
  const line = preview.line + 1
  if (preview.line < first) return [pointerAt(editor, first, l10n.t('Tab: next edit above, in line {line}', { line }))]
  if (preview.line > last) return [pointerAt(editor, last, l10n.t('Tab: next edit below, in line {line}', { line }))]
  return []
}

function pointerAt({ document }: TextEditor, line: number, text: string): DecorationOptions {
  const end = document.lineAt(Math.min(line, document.lineCount - 1)).range.end
  return { range: new Range(new Position(end.line, end.character), end), renderOptions: { after: dimmed(text) } }
}

/** The text has a colour that every theme defines, because the editor draws nothing where there is none. */
function dimmed(contentText: string) {
  return {
    contentText,
    margin: '0 0 0 2ch',
    color: new ThemeColor('descriptionForeground'),
    backgroundColor: new ThemeColor('diffEditor.insertedTextBackground'),
    border: '1px solid',
    borderColor: new ThemeColor('diffEditor.insertedTextBorder'),
  }
}

const keys = () => l10n.t('Next edit: Tab goes there, Tab again applies it, Escape refuses it.')
