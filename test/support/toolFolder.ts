// A workspace in a real folder with the ports of the file tools, for tests of what a tool does to files.
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Changes } from '../../src/core/tools/changes.ts'
import { deleteFileTool } from '../../src/core/tools/deleteFileTool.ts'
import { editFileTool } from '../../src/core/tools/editFileTool.ts'
import { moveFileTool } from '../../src/core/tools/moveFileTool.ts'
import { PlannedChanges } from '../../src/core/tools/plannedChanges.ts'
import { readFileTool } from '../../src/core/tools/readFileTool.ts'
import { SeenFiles } from '../../src/core/tools/seenFiles.ts'
import type { CallContext, PreparedCall, Tool, ToolInput, ToolOutput } from '../../src/core/tools/tool.ts'
import { ToolPaths } from '../../src/core/tools/toolPaths.ts'
import { writeFileTool } from '../../src/core/tools/writeFileTool.ts'
import { WriteGuard } from '../../src/core/tools/writeGuard.ts'
import { AccessPolicy, type AccessPorts } from '../../src/core/workspace/accessPolicy.ts'
import { textWithLineFeeds } from '../../src/core/workspace/lineEnds.ts'
import { PathResolver, type ResolvedFile, type WorkspaceRoot } from '../../src/core/workspace/pathResolver.ts'
import { type FileText, type FoundFile, HEAD_UNITS, type TextFiles } from '../../src/core/workspace/textFiles.ts'
import { ChangeFolder } from '../../src/node/changes/changeFolder.ts'
import { SystemFiles, type TextCodec } from '../../src/node/changes/systemFiles.ts'
import { systemPaths } from '../../src/node/changes/systemPaths.ts'
import { never } from './wire.ts'

export interface ToolFolderSetup {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Names of folders of the workspace, below the top; the top itself is the only one without them. */
  readonly roots?: readonly string[]
  readonly isTrusted?: boolean
  readonly ignored?: readonly string[]
  /** In place of `ignored`. */
  readonly ignoredOf?: AccessPorts['ignoredOf']
  /** In place of all files. */
  readonly listed?: () => Promise<readonly string[]>
}

export interface AnswerOptions {
  readonly turn?: string
  /** What the user answers where a call must be asked about. */
  readonly isApproved?: boolean
  readonly isDenied?: (input: ToolInput) => boolean
  /** The mode asks about every change. */
  readonly isAskedAlways?: boolean
  /** Between the questions and the first call. */
  readonly meanwhile?: () => void | Promise<void>
}

export interface FileTools extends Readonly<Record<'read' | 'edit' | 'write' | 'move' | 'delete', Tool>> {
  readonly changes: Changes
}

const utf8: TextCodec = {
  decode: async (bytes, _, marked) =>
    new TextDecoder(marked === 'utf16le' ? 'utf-16le' : 'utf-8', { ignoreBOM: true }).decode(bytes),
  encode: async (text, _, marked) => Buffer.from(text, marked === 'utf16le' ? 'utf16le' : 'utf8'),
}

export class ToolFolder implements Disposable {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')))
  readonly root = join(this.top, 'work')
  readonly resolver: PathResolver
  readonly store = new ChangeFolder(join(this.top, 'storage'))
  readonly access: AccessPolicy
  readonly paths: ToolPaths
  /** Unsaved text of open files, by URI. */
  readonly unsaved = new Map<string, string>()
  /** When changes are made, in milliseconds since 1970. */
  now = 0
  seen = new SeenFiles(this.store)
  readonly files = new SystemFiles({
    pathOf: uri => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined),
    codec: utf8,
  })
  readonly #roots: readonly WorkspaceRoot[]
  #calls = 0

  constructor({ files = {}, roots, isTrusted = true, ignored = [], ignoredOf, listed }: ToolFolderSetup = {}) {
    mkdirSync(this.root)
    const folders = roots ? roots.map(name => join(this.root, name)) : [this.root]
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    this.#roots = folders.map((path, at) => ({ uri: pathToFileURL(path).href, name: roots?.[at] ?? 'work', path }))
    for (const [path, content] of Object.entries(files)) this.put(path, content)
    this.resolver = new PathResolver({
      roots: () => this.#roots,
      disk: systemPaths,
      uriOf: path => pathToFileURL(path).href,
      pathOf: uri => (uri.startsWith('file:') ? fileURLToPath(uri) : undefined),
    })
    this.access = new AccessPolicy({
      isTrusted: () => isTrusted,
      excludedGlobs: () => [],
      ignoredOf: ignoredOf ?? (async uris => new Set(uris.filter(uri => ignored.some(path => uri === this.uri(path))))),
    })
    this.paths = new ToolPaths({
      resolver: this.resolver,
      roots: () => this.#roots,
      files: this.textFiles,
      access: this.access,
      paths: listed ?? (async () => this.list()),
    })
  }

  uri(path: string): string {
    return pathToFileURL(join(this.root, path)).href
  }

  put(path: string, content: string | Uint8Array, mode?: number): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), content)
    if (mode !== undefined) chmodSync(join(this.root, path), mode)
  }

  text(path: string): string | undefined {
    try {
      return readFileSync(join(this.root, path), 'utf8')
    } catch {
      return undefined
    }
  }

  /** The files, in the form in which the model names them. */
  list(): string[] {
    const all = readdirSync(this.root, { recursive: true, withFileTypes: true })
    return all
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(this.root.length + 1))
      .sort()
  }

  /** As a window that was opened again knows what the model has seen. */
  async reload(): Promise<void> {
    await this.seen.kept()
    this.seen = new SeenFiles(this.store)
  }

  /** Carries out one call, which is all of an answer. */
  async call(tool: Tool, input: ToolInput, options: AnswerOptions = {}): Promise<string> {
    const [result = ''] = await this.answer([[tool, input]], options)
    return result
  }

  /** Carries out the calls of an answer as a turn does: all are prepared, what must be asked is, and then they are run. */
  async answer(calls: readonly (readonly [Tool, ToolInput])[], options: AnswerOptions = {}): Promise<string[]> {
    const answer = `answer-${++this.#calls}`
    const contexts = calls.map(() => ({
      conversation: 'c',
      turn: options.turn ?? 't',
      answer,
      part: `part-${++this.#calls}`,
    }))
    const prepared = await Promise.all(
      calls.map(async ([tool, input], at) => {
        const context = contexts[at]
        assert.ok(context)
        return (await tool.prepare?.(input, context, never)) ?? ({ is: 'ready', concerns: [] } as const)
      }),
    )
    await options.meanwhile?.()
    const results: string[] = []
    for (const [at, [tool, input]] of calls.entries()) {
      const [context, one] = [contexts[at], prepared[at]]
      assert.ok(context && one)
      results.push(await this.#result(tool, input, context, one, options))
    }
    const { conversation = 'c', turn = 't' } = contexts[0] ?? {}
    for (const tool of new Set(calls.map(([one]) => one))) await tool.finish?.({ conversation, turn, answer })
    return results
  }

  async #result(
    tool: Tool,
    input: ToolInput,
    context: CallContext,
    prepared: PreparedCall,
    { isApproved = false, isAskedAlways = false, isDenied = () => false }: AnswerOptions,
  ): Promise<string> {
    if (prepared.is === 'refused') return prepared.output
    if (prepared.is === 'answered') return outputText(prepared.output)
    if (isDenied(input)) return 'denied'
    const isAsked = isAskedAlways || prepared.concerns.length > 0
    if (isAsked && !isApproved) return `asked: ${prepared.concerns.map(({ is }) => is).join(', ')}`
    const approval = { approved: isAsked, boundTo: prepared.boundTo, record: async () => {} }
    return outputText(await tool.run(input, { ...context, ...approval }, never))
  }

  newTools(): FileTools {
    const files = this.files
    const guard = new WriteGuard({ resolver: this.resolver, home: join(this.top, 'home') })
    const consent = {
      ask: async () => {
        throw new Error('The user is asked before, not when it is written.')
      },
    }
    const changes = new Changes({ store: this.store, files, guard, consent, now: () => this.now })
    const { paths, seen } = this
    const ports = { paths, files, seen, changes, guard, planned: new PlannedChanges() }
    return {
      changes,
      read: readFileTool({ paths, files: this.textFiles, seen }),
      edit: editFileTool(ports),
      write: writeFileTool(ports),
      move: moveFileTool(ports),
      delete: deleteFileTool(ports),
    }
  }

  readonly textFiles: Pick<TextFiles, 'find' | 'read'> = {
    find: async (uri): Promise<FoundFile | undefined> => {
      const fullPath = fileURLToPath(uri)
      const found = factsOf(fullPath)
      if (!found) return undefined
      const kind = found.isFile() ? 'file' : 'folder'
      const resolved = await this.resolver.resolve(uri)
      const isInWorkspace = resolved.is === 'file' && resolved.isInWorkspace
      const path = fullPath.slice(this.root.length + 1)
      const target = resolved.is === 'file' && linkOf(resolved)
      return { uri, kind, path, fullPath, ...target, isInWorkspace, isOpen: false, size: found.size }
    },
    read: async (uri): Promise<FileText> => {
      const text = this.unsaved.get(uri) ?? textWithLineFeeds(decoded(readFileSync(fileURLToPath(uri))))
      return { text, head: text.slice(0, HEAD_UNITS), language: '' }
    },
  };

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true })
  }
}

const linkOf = ({ linkTarget, linkUri }: ResolvedFile) => ({
  ...(linkTarget !== undefined && { targetPath: linkTarget }),
  ...(linkUri !== undefined && { targetUri: linkUri }),
})

/** Undefined for a link in a circle as well. */
function factsOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const decoded = (bytes: Uint8Array) =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)

export function outputText({ content, isOutdated }: ToolOutput): string {
  if (isOutdated) return 'outdated'
  return content.map(one => (one.kind === 'text' ? one.text : '')).join('\n')
}
