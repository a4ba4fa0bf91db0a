// What can be attached to a question, in a real editor with a git repository.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import {
  commands,
  Diagnostic,
  DiagnosticSeverity,
  DocumentSymbol,
  env,
  languages,
  Position,
  Range,
  Selection,
  SymbolKind,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode'
import { systemClock } from '../../src/base/clock.ts'
import type { Offers, Resolved, Suggestion } from '../../src/core/context/contextSources.ts'
import { KeyText } from '../../src/core/log/keyText.ts'
import { AccessPolicy } from '../../src/core/workspace/accessPolicy.ts'
import { IgnoredFiles } from '../../src/core/workspace/ignoredFiles.ts'
import { PageLinks } from '../../src/editor/chat/pageLinks.ts'
import { type EditorContext, editorContext } from '../../src/editor/context/editorContext.ts'
import { EditorFileListing } from '../../src/editor/context/editorFileListing.ts'
import { EditorTerminal } from '../../src/editor/context/editorTerminal.ts'
import { leadsInside } from '../../src/node/files/leadsInside.ts'
import { realPath } from '../../src/node/files/realPath.ts'
import { gitProgram } from '../../src/node/git/gitProgram.ts'
import type { ContextReference, ContextSourceName } from '../../src/protocol/contextReference.ts'
import type { ToPage } from '../../src/protocol/panel.ts'

const { signal } = new AbortController()

describe('context that is attached to a question', () => {
  let root: Uri
  let folder: string
  let elsewhere: string
  let context: EditorContext
  const terminal = new EditorTerminal()

  before(async () => {
    const first = workspace.workspaceFolders?.[0]
    assert.ok(first)
    root = first.uri
    folder = await realpath(root.fsPath)
    elsewhere = mkdtempSync(join(tmpdir(), 'kourier-elsewhere-'))
    const listing = new EditorFileListing(gitProgram)
    const ignored = new IgnoredFiles(listing, systemClock)
    context = editorContext({
      access: new AccessPolicy({
        isTrusted: () => workspace.isTrusted,
        excludedGlobs: () => [],
        ignoredOf: (uris, stop) => ignored.of(uris, stop),
      }),
      git: gitProgram,
      listing,
      ignored,
      realPath,
      leadsInside,
      terminal,
      settings: { isOn: () => true },
      promptsFolder: Uri.file(join(elsewhere, 'prompts')),
      newId: () => crypto.randomUUID(),
      clock: systemClock,
      keys: new KeyText(() => undefined),
      window: { limit: () => 1_000_000, tokensOf: async text => text.length },
    })
  })
  after(async () => {
    context.dispose()
    terminal.dispose()
    await commands.executeCommand('workbench.action.closeAllEditors')
    execFileSync('git', ['checkout', '--quiet', '.'], { cwd: folder })
    execFileSync('git', ['clean', '-fdxq'], { cwd: folder })
    rmSync(elsewhere, { recursive: true })
  })

  const uriOf = (path: string) => Uri.joinPath(root, path).toString()
  const resolve = (reference: ContextReference, isConfirmed = false) =>
    context.sources.resolve(reference, { isConfirmed }, signal)
  const textOf = (resolved: Resolved) =>
    resolved.is === 'ready'
      ? resolved.parts.map(({ text }) => text).join('')
      : String('why' in resolved && resolved.why)

  async function suggested(text: string, kind: ContextSourceName): Promise<readonly Suggestion[]> {
    let last: readonly Suggestion[] = []
    for await (const some of context.sources.suggest({ text, limit: 200 }, signal)) last = some
    return last.filter(({ reference }) => reference.source === kind)
  }

  it('finds files and folders by some of their letters', async () => {
    const [file] = await suggested('rdel', 'file')
    assert.deepEqual(file && [file.label, file.detail, file.labelMatches], ['delays.py', 'reports', [0, 1, 2]])
    const [found] = await suggested('repo', 'folder')
    assert.deepEqual(found?.reference, { source: 'folder', uri: uriOf('reports') })
    assert.deepEqual(await context.referenceOf(uriOf('reports'), signal), found?.reference)
  })

  it('[T40] [T41] finds the files that an answer names, and none that is or leads outside', async () => {
    const [file] = await context.links.files('reports/delays.py:3:2', signal)
    assert.deepEqual(file, { uri: uriOf('reports/delays.py'), path: 'reports/delays.py', line: 2, column: 1 })
    assert.equal((await context.links.files('delays.py', signal))[0]?.uri, uriOf('reports/delays.py'))
    assert.equal((await context.links.files(`${folder}/reports/delays.py`, signal)).length, 1)
    writeFileSync(join(elsewhere, 'outside.py'), 'x = 1')
    symlinkSync(join(elsewhere, 'outside.py'), join(folder, 'link.py'))
    symlinkSync(elsewhere, join(folder, 'linked'))
    const none = [
      'missing.py',
      'link.py',
      'linked/outside.py',
      '.env',
      '../outside.py',
      `${elsewhere}/outside.py`,
      '/etc/hosts.py',
      'reports',
    ]
    for (const text of none) assert.deepEqual(await context.links.files(text, signal), [], text)
  })

  it('answers a page which names are links, and opens them at their line', async () => {
    const sent: ToPage[] = []
    const faults: unknown[] = []
    const page = new PageLinks({
      links: context.links,
      send: message => sent.push(message),
      report: fault => faults.push(fault),
    })
    try {
      page.receive({ kind: 'find-links', files: ['reports/delays.py:3', 'none.py'], symbols: [] })
      while (sent.length === 0) await new Promise(setImmediate)
      assert.deepEqual(sent, [{ kind: 'links', files: ['reports/delays.py:3'], symbols: [] }])
      const opened = new Promise<TextEditor>(done => {
        const listener = window.onDidChangeActiveTextEditor(editor => {
          if (!editor) return
          listener.dispose()
          done(editor)
        })
      })
      page.receive({ kind: 'open-link', target: 'file', text: 'reports/delays.py:3' })
      const editor = await opened
      assert.equal(editor.document.uri.toString(), uriOf('reports/delays.py'))
      while (editor.selection.active.line !== 2) await new Promise(setImmediate)
      assert.equal(window.tabGroups.activeTabGroup.activeTab?.isPreview, true)
      assert.deepEqual(faults, [])
    } finally {
      page.dispose()
    }
  })

  it('follows files that are made and deleted', async () => {
    await suggested('', 'file')
    const watcher = workspace.createFileSystemWatcher('**/brandnew.ts')
    const uri = Uri.joinPath(root, 'brandnew.ts')
    try {
      const created = new Promise<void>(done => watcher.onDidCreate(() => done()))
      await workspace.fs.writeFile(uri, new TextEncoder().encode('let a'))
      await created
      while ((await suggested('brandnew', 'file')).length === 0) await new Promise(setImmediate)
      const deleted = new Promise<void>(done => watcher.onDidDelete(() => done()))
      await workspace.fs.delete(uri)
      await deleted
      while ((await suggested('brandnew', 'file')).length > 0) await new Promise(setImmediate)
    } finally {
      watcher.dispose()
    }
  })

  it('has the unsaved text of an open document, and its version', async () => {
    const document = await workspace.openTextDocument(Uri.joinPath(root, 'tracker/status.go'))
    const editor = await window.showTextDocument(document)
    await editor.edit(edit => edit.insert(new Position(0, 0), '// not saved\n'))
    const resolved = await resolve({ source: 'file', uri: uriOf('tracker/status.go') })
    assert.match(textOf(resolved), /^\/\/ not saved\n/)
    const [part] = resolved.is === 'ready' ? resolved.parts : []
    assert.deepEqual([part?.version, part?.language, part?.hash], [document.version, document.languageId, undefined])
    await document.save()
    const saved = await resolve({ source: 'file', uri: uriOf('tracker/status.go') })
    assert.match((saved.is === 'ready' && saved.parts[0]?.hash) || '', /^[0-9a-f]{64}$/)
  })

  it('reads a file in its encoding, and no binary one', async () => {
    const utf16 = Buffer.from('\ufeffgrüße\r\nzwei\r\n', 'utf16le')
    writeFileSync(join(folder, 'wide.txt'), utf16)
    writeFileSync(join(folder, 'binary'), Buffer.from([0, 1, 2, 0, 255, 254, 0, 7]))
    assert.equal(textOf(await resolve({ source: 'file', uri: uriOf('wide.txt') })), 'grüße\nzwei\n')
    assert.equal(textOf(await resolve({ source: 'file', uri: uriOf('binary') })), 'binary')
  })

  it('[T45] asks before a secret or ignored file', async () => {
    assert.equal(textOf(await resolve({ source: 'file', uri: uriOf('.env') })), 'secret')
    assert.match(textOf(await resolve({ source: 'file', uri: uriOf('.env') }, true)), /EXAMPLE_ONLY/)
    writeFileSync(join(folder, '.gitignore'), 'out/\n')
    await workspace.fs.writeFile(Uri.joinPath(root, 'out/made.js'), new TextEncoder().encode('1'))
    assert.equal(textOf(await resolve({ source: 'file', uri: uriOf('out/made.js') })), 'ignored')
    assert.equal(textOf(await resolve({ source: 'file', uri: uriOf('out/made.js') }, true)), '1')
  })

  it('[T41] asks before a link that leads outside, and names where', async () => {
    const target = join(elsewhere, 'outside.txt')
    writeFileSync(target, 'outside')
    symlinkSync(target, join(folder, 'link.txt'))
    const asked = await resolve({ source: 'file', uri: uriOf('link.txt') })
    assert.deepEqual(asked.is === 'ask' && [asked.why, asked.target], ['outside', await realpath(target)])
  })

  it('[T45] has a folder as a tree with its files, and leaves out secret ones', async () => {
    writeFileSync(join(folder, 'reports', 'id_rsa'), 'secret')
    const resolved = await resolve({ source: 'folder', uri: uriOf('reports') })
    const names = resolved.is === 'ready' ? resolved.parts.map(({ name }) => name) : []
    assert.deepEqual(names, ['reports', 'reports/delays.py'])
    assert.deepEqual(resolved.is === 'ready' && resolved.omitted, [
      { why: 'secret', count: 1, names: ['reports/id_rsa'] },
    ])
  })

  it('has the changes and the commits of the repository', async () => {
    writeFileSync(join(folder, 'README.md'), 'Changed in the test\n')
    assert.match(textOf(await resolve({ source: 'git-change', isStaged: false })), /^\+Changed in the test$/m)
    const [commit] = await suggested('parcel', 'commit')
    assert.equal(commit?.label, 'Open the parcel desk')
    assert.ok(commit)
    const text = textOf(await resolve(commit.reference))
    assert.match(text, /^\+\+\+ b\/reports\/delays\.py$/m)
    assert.doesNotMatch(text, /EXAMPLE_ONLY/)
  })

  it('has the problems that languages report', async () => {
    const reported = languages.createDiagnosticCollection('test')
    try {
      const problem = new Diagnostic(new Range(2, 4, 2, 8), 'No such name.', DiagnosticSeverity.Error)
      problem.source = 'checker'
      problem.code = { value: 'E7', target: Uri.parse('https://example.com') }
      reported.set(Uri.joinPath(root, 'reports/delays.py'), [problem])
      const uri = uriOf('reports/delays.py')
      assert.equal(
        textOf(await resolve({ source: 'problems', uri })),
        'reports/delays.py:3:5 error checker(E7): No such name.',
      )
    } finally {
      reported.dispose()
    }
  })

  it('has a symbol whole, where a language knows its extent', async () => {
    const whole = new Range(0, 0, 3, 0)
    const language = languages.registerDocumentSymbolProvider('sql', {
      provideDocumentSymbols: () => [
        new DocumentSymbol('parcels', '', SymbolKind.Struct, whole, new Range(0, 13, 0, 20)),
      ],
    })
    try {
      const document = await workspace.openTextDocument(Uri.joinPath(root, 'database/schema.sql'))
      await window.showTextDocument(document)
      const [found] = await suggested('parc', 'symbol')
      assert.ok(found)
      assert.equal(found.label, 'parcels')
      assert.equal(textOf(await resolve(found.reference)), document.getText(whole))
    } finally {
      language.dispose()
    }
  })

  it('offers the active file and what is selected in it', async () => {
    const document = await workspace.openTextDocument(Uri.joinPath(root, 'desk/parcel.ts'))
    const editor = await window.showTextDocument(document)
    const offered = new Promise<Offers>(done => {
      const listening = context.sources.onDidChangeOffers(offers => {
        if (!offers.selection) return
        listening.dispose()
        done(offers)
      })
    })
    editor.selection = new Selection(0, 0, 1, 0)
    const { activeFile, selection } = await offered
    assert.equal(activeFile?.uri, uriOf('desk/parcel.ts'))
    assert.ok(selection)
    assert.equal(textOf(await resolve(selection)), `${document.lineAt(0).text}\n`)
    assert.equal(context.sources.describe(selection).label, 'parcel.ts:1')
  })

  it('has the open editors, and the whole repository without secret files', async () => {
    const open = await resolve({ source: 'open-editors' })
    assert.ok(open.is === 'ready' && open.parts.some(({ name }) => name === 'desk/parcel.ts'))
    const text = textOf(await resolve({ source: 'repository' }))
    assert.match(text, /^==> desk\/parcel\.ts \(\d+ lines\)$/m)
    assert.doesNotMatch(text, /EXAMPLE_ONLY|outside/)
    assert.equal(await context.repository.changesSince(text, signal), '')
  })

  it('finds instructions and prompts', async () => {
    writeFileSync(join(folder, 'AGENTS.md'), 'Be brief.\n')
    const [found] = (await context.instructions.for([], signal)).sent
    assert.ok(found)
    assert.equal(textOf(await resolve(found)), 'Be brief.\n')
    await workspace.fs.createDirectory(Uri.file(join(elsewhere, 'prompts')))
    writeFileSync(join(elsewhere, 'prompts', 'shorter.prompt.md'), '---\ndescription: Cuts\n---\nMake it shorter.\n')
    const [prompt] = await context.promptFiles(signal)
    assert.deepEqual([prompt?.name, prompt?.description, prompt?.body], ['shorter', 'Cuts', 'Make it shorter.\n'])
  })

  it('has the selection of a terminal, and leaves the clipboard as it was', async () => {
    await env.clipboard.writeText('mine')
    const terminal = window.createTerminal({ name: 'shell', shellPath: '/bin/sh' })
    try {
      terminal.show()
      await terminal.processId
      let selection: Awaited<ReturnType<EditorContext['terminal']['selection']>>
      terminal.sendText('echo one-$((1+1))-three')
      while (!selection?.text.includes('one-2-three')) {
        await commands.executeCommand('workbench.action.terminal.selectAll')
        selection = await context.terminal.selection()
      }
      assert.equal(selection.name, 'shell')
      assert.equal(await env.clipboard.readText(), 'mine')
    } finally {
      terminal.dispose()
    }
  })
})
