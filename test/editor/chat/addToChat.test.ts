// What the lightbulb and the commands about code attach: the code around the place, and the problem that is there.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { CodeActionContext, Diagnostic, TextDocument, TextEditor } from 'vscode'
import { fakeEditor, Range, Uri, window, withFakeVscode, workspace } from '../../support/fakeVscode.ts'

const { AddToChat } = await withFakeVscode(() => import('../../../src/editor/chat/addToChat.ts'))
const { chatCodeActions } = await withFakeVscode(() => import('../../../src/editor/chat/chatCodeActions.ts'))

const uri = Uri.file('/work/desk/parcel.ts')
const document = { uri } as unknown as TextDocument // as: only its URI is read
const problem = { message: 'Cannot find name', severity: 0, range: new Range(12, 4, 12, 9) } as unknown as Diagnostic // as: what is read of it
const far = { message: 'Unused', severity: 1, range: new Range(15, 0, 15, 3) } as unknown as Diagnostic // as: as above
const outer = { name: 'readParcel', range: new Range(10, 0, 20, 1) }
const inner = { name: 'weigh', range: new Range(11, 2, 13, 3) }
const inProblem = { startLine: 12, startCharacter: 4, endLine: 12, endCharacter: 9 }
const inInner = { startLine: 11, startCharacter: 2, endLine: 13, endCharacter: 3 }
const code = { source: 'symbol', uri: uri.toString(), range: inInner, name: 'weigh' }
const attachedProblem = {
  source: 'problems',
  uri: uri.toString(),
  problem: { range: inProblem, message: problem.message },
}

function opened() {
  const composed: { readonly command: string; readonly about: readonly unknown[] }[] = []
  const adding = new AddToChat({
    show: async () => {},
    attach: reference => void composed.push({ command: '', about: [reference] }),
    compose: (command, about) => void composed.push({ command, about }),
    terminalSelection: async () => undefined,
  })
  return { adding, composed }
}

/** What the lightbulb offers there, by title. */
function offered(range: Range, diagnostics: readonly Diagnostic[]) {
  const context = { diagnostics, only: undefined, triggerKind: 1 } as unknown as CodeActionContext // as: what is read of it
  const signal = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) }
  const actions = chatCodeActions.provideCodeActions(document, range as never, context, signal) // as: the fake's range
  return new Map((Array.isArray(actions) ? actions : []).map(one => [one.title, one]))
}

function argumentsOf(title: string, range: Range, diagnostics: readonly Diagnostic[]): readonly unknown[] {
  const action = offered(range, diagnostics).get(title)
  return action && 'command' in action && typeof action.command === 'object' ? (action.command.arguments ?? []) : []
}

function putCursor(range: Range): void {
  window.activeTextEditor = { document, selection: range } as unknown as TextEditor // as: what is read of it
}

describe('what a command about code attaches', () => {
  beforeEach(() => {
    fakeEditor.reset()
    window.activeTextEditor = undefined
    fakeEditor.problems.set(uri.toString(), [problem, far])
    fakeEditor.onCommand = id =>
      id === 'vscode.executeDocumentSymbolProvider' ? [{ ...outer, children: [{ ...inner, children: [] }] }] : undefined
  })

  test('the lightbulb at a problem is about that problem, wherever the cursor is', async () => {
    putCursor(new Range(40, 0, 40, 0))
    const { adding, composed } = opened()
    const at = new Range(12, 0, 12, 0)
    await adding.ask('fix', ...argumentsOf('Fix with Kourier', at, [problem]))
    await adding.ask('explain', ...argumentsOf('Explain with Kourier', at, [problem]))
    await adding.problem(...argumentsOf('Add Problem to Kourier Chat', at, [problem]))
    assert.deepEqual(composed, [
      { command: '/fix ', about: [code, attachedProblem] },
      { command: '/explain ', about: [code, attachedProblem] },
      { command: '', about: [attachedProblem] },
    ])
  })

  test('a file of another machine is attached without a look at it', async t => {
    const { adding, composed } = opened()
    const stat = t.mock.fn(async () => ({ type: 2 }))
    t.mock.getter(workspace, 'fs', () => ({ stat }))
    const there = Uri.parse('file://server/share/a.ts')
    await adding.files(there, [there])
    assert.deepEqual(composed, [{ command: '', about: [{ source: 'file', uri: there.toString() }] }])
    assert.equal(stat.mock.callCount(), 0)
  })

  test('the lightbulb at a selection is about what is selected', async () => {
    const selected = new Range(11, 0, 14, 0)
    const { adding, composed } = opened()
    await adding.ask('tests', ...argumentsOf('Generate Tests with Kourier', selected, []))
    await adding.ask('explain', ...argumentsOf('Explain with Kourier', selected, []))
    const about = [
      {
        source: 'selection',
        uri: uri.toString(),
        range: { startLine: 11, startCharacter: 0, endLine: 14, endCharacter: 0 },
      },
    ]
    assert.deepEqual(composed, [
      { command: '/tests ', about },
      { command: '/explain ', about },
    ])
    assert.deepEqual(
      [...offered(selected, [problem]).values()].map(({ title }) => title),
      ['Fix with Kourier', 'Explain with Kourier', 'Add Problem to Kourier Chat', 'Generate Tests with Kourier'],
    )
    assert.equal(offered(new Range(1, 0, 1, 0), []).size, 0, 'there is nothing to ask about')
  })

  test('a problem that the editor has selected is not what the user has selected', async () => {
    putCursor(problem.range as unknown as Range) // as: it was made above
    const { adding, composed } = opened()
    await adding.ask('fix')
    await adding.ask('explain', uri, problem.range)
    assert.deepEqual(composed, [
      { command: '/fix ', about: [code, attachedProblem] },
      { command: '/explain ', about: [code] },
    ])
  })

  test('without a problem at the cursor, Fix takes those of the code around it', async () => {
    const { adding, composed } = opened()
    putCursor(new Range(18, 0, 18, 0))
    await adding.ask('fix')
    putCursor(new Range(30, 0, 30, 0))
    await adding.ask('explain')
    const messages = composed.map(({ about }) =>
      about.map(one => JSON.stringify(one).match(/Cannot find name|Unused|readParcel|"file"/)?.[0]),
    )
    assert.deepEqual(messages, [['readParcel', 'Cannot find name', 'Unused'], ['"file"']])
  })
})
