// The editor's changes and calls as the completer gets them, and its suggestions as the editor does.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type * as vscode from 'vscode'
import { Emitter } from '../../../src/base/event.ts'
import type { Completer, CompletionRequest, Suggestion } from '../../../src/core/complete/completer.ts'
import type { DocumentSnapshot } from '../../../src/core/workspace/documentSnapshot.ts'
import { Documents } from '../../../src/core/workspace/documents.ts'
import { FakeClock, settled } from '../../support/fakeClock.ts'
import { FakeTextDocument } from '../../support/fakeTextDocument.ts'
import { FakeTextEditor } from '../../support/fakeTextEditor.ts'
import { fakeEditor, Position, Range, Selection, window, withFakeVscode } from '../../support/fakeVscode.ts'

const [{ inlineProvider }, { EditorDocuments }] = await withFakeVscode(() =>
  Promise.all([
    import('../../../src/editor/complete/inlineProvider.ts'),
    import('../../../src/editor/workspace/editorDocuments.ts'),
  ]),
)

// The hooks are those of this file alone, although it shares its process with others.
describe('the completion provider', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => {
    mock.timers.reset()
    fakeEditor.reset()
  })

  const [invoke, automatic] = [0, 1]

  /** The text is `sum(it)` with the cursor behind `it`. */
  class Window {
    readonly document = new FakeTextDocument('/work/a.ts', 'sum(it)')
    readonly editor = new FakeTextEditor(this.document)
    readonly changes: DocumentSnapshot[] = []
    readonly calls: {
      readonly snapshot: DocumentSnapshot
      readonly request: CompletionRequest
      signal: AbortSignal
    }[] = []
    readonly forgotten: string[] = []
    readonly late = new Emitter<DocumentSnapshot>()
    readonly others = new Emitter<DocumentSnapshot>()
    suggestions: readonly Suggestion[] = [{ id: 'a', start: 0, end: 7, text: 'sum(items)' }]
    loads = 0
    dismissed = 0
    left = 0
    readonly entered: DocumentSnapshot[] = []
    readonly documents = new EditorDocuments(new Documents())
    readonly clock = new FakeClock()
    readonly provider = inlineProvider(
      async () => {
        this.loads++
        return this.#completer
      },
      this.documents,
      this.clock,
    )

    constructor() {
      window.activeTextEditor = this.editor.asEditor
      this.editor.moveTo(0, 6)
    }

    /** What the provider calls, and nothing that it does not. */
    get #completer(): Completer {
      return {
        onDidArriveLate: this.late.event,
        onDidFindOthers: this.others.event,
        changed: (snapshot: DocumentSnapshot) => this.changes.push(snapshot),
        complete: async (snapshot: DocumentSnapshot, request: CompletionRequest, signal: AbortSignal) => {
          this.calls.push({ snapshot, request, signal })
          return this.suggestions
        },
        dismiss: () => this.dismissed++,
        leave: () => this.left++,
        enter: (snapshot: DocumentSnapshot) => this.entered.push(snapshot),
        forget: (id: string) => this.forgotten.push(id),
      } as unknown as Completer
    }

    async type(text: string): Promise<void> {
      const { character } = this.editor.selection.active
      this.document.change([0, character], [0, character], text)
      this.editor.moveTo(0, character + text.length)
      await settled()
    }

    async call(
      triggerKind = automatic,
      more: object = {},
      token: object = {},
    ): Promise<readonly vscode.InlineCompletionItem[]> {
      const context = { triggerKind, selectedCompletionInfo: undefined, ...more }
      const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }), ...token }
      const { active } = this.editor.selection
      const found = await fakeEditor.inlineProvider?.provideInlineCompletionItems(
        this.document.asDocument,
        active as vscode.Position,
        context as vscode.InlineCompletionContext,
        never as vscode.CancellationToken,
      )
      return (found ?? []) as readonly vscode.InlineCompletionItem[]
    }

    get commands(): readonly string[] {
      return fakeEditor.interactions.flatMap(one => (one.kind === 'command' ? one.id : []))
    }
  }

  test('a change reaches the completer with the cursor that it leaves, and loads it once', async () => {
    const opened = new Window()
    assert.equal(opened.loads, 0)
    await opened.type('e')
    await opened.type('m')
    assert.deepEqual(
      opened.changes.map(({ text, offset }) => [text, offset]),
      [
        ['sum(ite)', 7],
        ['sum(item)', 8],
      ],
    )
    assert.equal(opened.loads, 1)
  })

  test('what is suggested is an item with its range, and nothing is no item', async () => {
    const opened = new Window()
    const [item] = await opened.call()
    assert.equal(item?.insertText, 'sum(items)')
    assert.deepEqual([item?.range?.start.character, item?.range?.end.character], [0, 7])
    assert.equal(opened.calls[0]?.snapshot.offset, 6)
    opened.suggestions = []
    assert.deepEqual(await opened.call(), [])
  })

  test('a call by hand is told from one of the editor, and the selected item of the list goes along', async () => {
    const opened = new Window()
    await opened.call()
    await opened.call(invoke)
    const selected = { range: new Range(0, 4, 0, 6), text: 'items' }
    await opened.call(automatic, { selectedCompletionInfo: selected })
    assert.deepEqual(
      opened.calls.map(({ request }) => request),
      [
        { isExplicit: false },
        { isExplicit: true },
        { isExplicit: false, selected: { start: 4, end: 6, text: 'items' } },
      ],
    )
  })

  test('a call that the editor cancels is aborted', async () => {
    const opened = new Window()
    let cancel = () => {}
    const onCancellationRequested = (listener: () => void) => {
      cancel = listener
      return { dispose() {} }
    }
    const answer = opened.call(automatic, {}, { onCancellationRequested })
    await settled()
    cancel()
    await answer
    assert.ok(opened.calls[0]?.signal.aborted)
  })

  test('with several cursors or a selection nothing is followed or suggested', async () => {
    const opened = new Window()
    const at = (character: number) => new Position(0, character)
    for (const selections of [
      [new Selection(at(1), at(1)), new Selection(at(2), at(2))],
      [new Selection(at(1), at(3))],
    ]) {
      opened.editor.selections = selections
      opened.document.change([0, 0], [0, 0], 'x')
      mock.timers.tick(10)
      await settled()
      assert.deepEqual(await opened.call(), [])
    }
    assert.deepEqual([opened.changes.length, opened.calls.length], [0, 0])
  })

  test('a cursor that is moved, others beside it and another file in front leave the place, and what is typed does not', async () => {
    const opened = new Window()
    await opened.type('e')
    await opened.call()
    await opened.type('m')
    assert.equal(opened.left, 0)
    opened.editor.moveTo(0, 2)
    opened.editor.moveTo(0, 3)
    assert.equal(opened.left, 1)
    await opened.call(invoke)
    const at = (character: number) => new Position(0, character)
    opened.editor.selections = [new Selection(at(3), at(3)), new Selection(at(5), at(5))]
    fakeEditor.selectionChanged.fire({ textEditor: opened.editor.asEditor, selections: [], kind: undefined })
    assert.equal(opened.left, 2)
    opened.editor.moveTo(0, 3)
    await opened.call()
    window.activeTextEditor = undefined
    fakeEditor.activeEditorChanged.fire(undefined)
    assert.equal(opened.left, 3)
  })

  test('the completer knows the file that comes to the front before that is changed', async () => {
    const opened = new Window()
    await opened.type('e')
    const other = new FakeTextEditor(new FakeTextDocument('/work/b.ts', 'sum()'))
    window.activeTextEditor = other.asEditor
    fakeEditor.activeEditorChanged.fire(other.asEditor)
    assert.deepEqual(
      opened.entered.map(({ text, version }) => [text, version]),
      [['sum()', other.document.version]],
    )
  })

  test('a change for which the editor does not call is the last one that is followed, until it calls again', async () => {
    const opened = new Window()
    const typeAt = async (waitMs: number) => {
      await opened.clock.advance(waitMs)
      await opened.type('e')
      return opened.changes.length
    }
    assert.equal(await typeAt(0), 1)
    assert.equal(await typeAt(45), 2, 'the editor has not called yet')
    assert.equal(await typeAt(180), 2)
    assert.equal(await typeAt(45), 2)
    assert.ok(opened.left > 0, 'what is planned for the text before is not requested')
    await opened.call()
    assert.equal(await typeAt(180), 3)
  })

  test('what an input method composes is followed when it rests, and not step by step', async () => {
    const opened = new Window()
    const compose = async (length: number, text: string) => {
      opened.document.change([0, 6], [0, 6 + length], text)
      opened.editor.moveTo(0, 6 + text.length)
      await settled()
    }
    await compose(0, 'n')
    const call = opened.call()
    assert.equal((await call).length, 1)
    for (const [length, text] of [
      [1, 'ni'],
      [2, "ni'h"],
    ] as const) {
      await compose(length, text)
      let cancel = () => {}
      const onCancellationRequested = (listener: () => void) => {
        cancel = listener
        return { dispose() {} }
      }
      const cancelled = opened.call(automatic, {}, { onCancellationRequested })
      await opened.clock.advance(180)
      cancel()
      assert.deepEqual(await cancelled, [])
    }
    await compose(4, '你好')
    const last = opened.call()
    await opened.clock.advance(399)
    assert.deepEqual([opened.changes.length, opened.calls.length], [1, 1])
    await opened.clock.advance(1)
    assert.equal((await last).length, 1)
    assert.equal(opened.calls[1]?.snapshot.text, 'sum(it你好)')
    await compose(2, '你好吗你好吗')
    assert.equal(opened.changes.length, 2, 'an item of the suggestion list')
  })

  test('nothing is followed where the editor shows nothing inline', async () => {
    const opened = new Window()
    fakeEditor.settings.set('editor.inlineSuggest.enabled', false)
    await opened.type('e')
    assert.deepEqual([opened.changes.length, opened.loads], [0, 0])
  })

  test('the first change of a saved file reaches the completer once the file has unsaved changes', async () => {
    const opened = new Window()
    opened.document.isDirty = false
    await opened.type('e')
    assert.equal(opened.changes.length, 0)
    opened.document.isDirty = true
    opened.document.fire([])
    await settled()
    assert.deepEqual(
      opened.changes.map(({ text, offset }) => [text, offset]),
      [['sum(ite)', 7]],
    )
    assert.equal((await opened.call()).length, 1)
    opened.document.fire([])
    await settled()
    assert.equal(opened.changes.length, 1)
  })

  test('what comes from the disk is followed by nothing, but by a call by hand', async () => {
    const opened = new Window()
    opened.document.isDirty = false
    await opened.type('e')
    assert.deepEqual(await opened.call(), [])
    assert.deepEqual([opened.changes.length, opened.calls.length], [0, 0])
    assert.equal((await opened.call(invoke)).length, 1)
  })

  test('what a tool or an undo of the chat changes is followed by nothing, but by a call by hand', async () => {
    const opened = new Window()
    await opened.documents.whileChanging(opened.document.asDocument, () => opened.type('e'))
    assert.deepEqual(await opened.call(), [])
    assert.deepEqual([opened.changes.length, opened.calls.length], [0, 0])
    assert.equal((await opened.call(invoke)).length, 1)
    await opened.type('m')
    assert.equal(opened.changes.length, 1)
    assert.equal((await opened.call()).length, 1)
  })

  test('an answer that is late has the editor call again, which is no call by hand', async () => {
    const opened = new Window()
    await opened.call()
    const { snapshot } = opened.calls[0] ?? assert.fail()
    opened.late.fire(snapshot)
    assert.deepEqual(opened.commands, ['editor.action.inlineSuggest.trigger'])
    await opened.call(invoke)
    await opened.call(invoke)
    assert.deepEqual(
      opened.calls.map(({ request }) => request.isExplicit),
      [false, false, true],
    )
    opened.editor.moveTo(0, 2)
    opened.late.fire(snapshot)
    assert.equal(opened.commands.length, 1, 'not where the user has gone on')
  })

  test('further suggestions are shown by hiding the first, because the editor does not call again for them', async () => {
    const opened = new Window()
    await opened.call(invoke)
    opened.others.fire(opened.calls[0]?.snapshot ?? assert.fail())
    assert.deepEqual(opened.commands, ['editor.action.inlineSuggest.hide', 'editor.action.inlineSuggest.trigger'])
  })

  test('Escape hides the suggestion and is remembered; a closed document is forgotten', async () => {
    const opened = new Window()
    await opened.call()
    opened.provider.hide()
    assert.deepEqual([opened.dismissed, opened.commands], [1, ['editor.action.inlineSuggest.hide']])
    fakeEditor.documentClosed.fire(opened.document.asDocument)
    assert.deepEqual(opened.forgotten, ['file:///work/a.ts'])
  })
})
