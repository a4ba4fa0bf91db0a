// All tools of the agent as the extension joins them, on a hostile repository in a real folder.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { systemClock } from '../../src/base/clock.ts'
import { exploreTool } from '../../src/core/agent/exploreTool.ts'
import { InstructedTools } from '../../src/core/agent/instructedTools.ts'
import { surroundingsParts, treeOf } from '../../src/core/agent/surroundings.ts'
import { FileAccess } from '../../src/core/context/fileAccess.ts'
import { Instructions } from '../../src/core/context/instructions.ts'
import { Skills } from '../../src/core/context/skills.ts'
import { checkCommandTool } from '../../src/core/tools/checkCommandTool.ts'
import { commandFolder } from '../../src/core/tools/commandFolder.ts'
import type { CommandStart, CommandStarter } from '../../src/core/tools/commandPorts.ts'
import { CommandRuns } from '../../src/core/tools/commandRuns.ts'
import { findSymbolTool, type NamedSymbol, type SymbolPlaces } from '../../src/core/tools/findSymbolTool.ts'
import { ForeignTools } from '../../src/core/tools/foreignTools.ts'
import { listFilesTool } from '../../src/core/tools/listFilesTool.ts'
import { maskedTool } from '../../src/core/tools/maskedTool.ts'
import type { Mode } from '../../src/core/tools/modes.ts'
import { problemsTool } from '../../src/core/tools/problemsTool.ts'
import { readFileTool } from '../../src/core/tools/readFileTool.ts'
import { runCommandTool } from '../../src/core/tools/runCommandTool.ts'
import { searchTextTool } from '../../src/core/tools/searchTextTool.ts'
import { SecretTrace } from '../../src/core/tools/secretTrace.ts'
import { SecretValues } from '../../src/core/tools/secretValues.ts'
import { SeenFiles } from '../../src/core/tools/seenFiles.ts'
import type { Tool } from '../../src/core/tools/tool.ts'
import { TreePlaces } from '../../src/core/tools/treePlaces.ts'
import { updatePlanTool } from '../../src/core/tools/updatePlanTool.ts'
import { gitFiles, ignoredByGit } from '../../src/core/workspace/gitFiles.ts'
import { IgnoredFiles } from '../../src/core/workspace/ignoredFiles.ts'
import type { Problem } from '../../src/core/workspace/problems.ts'
import type { TextFiles } from '../../src/core/workspace/textFiles.ts'
import { systemPaths } from '../../src/node/changes/systemPaths.ts'
import { scriptFiles } from '../../src/node/commands/scriptFiles.ts'
import { SystemCommands } from '../../src/node/commands/systemCommands.ts'
import { gitProgram } from '../../src/node/git/gitProgram.ts'
import { ThreadSearch } from '../../src/node/search/threadSearch.ts'
import { TreeThreads } from '../../src/node/search/treeThreads.ts'
import type { PromptPart } from '../../src/protocol/conversation.ts'
import { HostileRepository } from './hostileRepository.ts'
import { nothingUnsaved } from './nothingUnsaved.ts'
import { treeRoot } from './searchedFolder.ts'
import { type FileTools, ToolFolder } from './toolFolder.ts'
import type { TurnFixture } from './turnFixture.ts'
import { typeScaler } from './typeScaler.ts'

export interface HostileToolsOptions {
  /** The commands that the user's settings allow. */
  readonly allowedCommands?: readonly string[]
  /** The system's sandbox is there, if it holds on this machine. */
  readonly hasSandbox?: boolean
  /** The turn whose tools these are; it has begun when one of them runs. */
  readonly turn: () => TurnFixture
}

export class HostileTools implements AsyncDisposable {
  readonly repository: HostileRepository
  readonly tools: readonly Tool[]
  /** The commands that were started. */
  readonly started: CommandStart[] = []
  /** How often a tool was called that the user has not selected. */
  foreignCalls = 0
  readonly #turn: () => TurnFixture
  readonly #folder: ToolFolder
  readonly #fileTools: FileTools
  readonly #uri: string
  readonly #files: TextFiles
  readonly #instructions: Instructions
  readonly #skills: Skills
  readonly #commands: SystemCommands
  readonly #runs: CommandRuns
  readonly #masking = { secrets: new SecretValues(process.env), trace: new SecretTrace() }
  /** As git lists them, once. */
  #listed: Promise<readonly string[]> = Promise.resolve([])
  readonly #threads = new TreeThreads({ script: undefined, clock: systemClock })

  constructor({ allowedCommands = [], hasSandbox = false, turn }: HostileToolsOptions) {
    this.#turn = turn
    const ignored = new IgnoredFiles({ ignoredOf: (uris, signal) => this.#ignoredOf(uris, signal) }, systemClock)
    this.#folder = new ToolFolder({
      ignoredOf: (uris, signal) => ignored.of(uris, signal),
      listed: () => this.#listed,
    })
    this.#fileTools = this.#folder.newTools()
    this.#uri = pathToFileURL(this.#folder.root).href
    this.repository = new HostileRepository(this.#folder)
    this.#files = this.#textFiles()
    const access = new FileAccess({ files: this.#files, access: this.#folder.access, images: typeScaler, newId })
    const shared = { folders: () => [{ uri: this.#uri }], isOn: () => true, isTrusted: () => true }
    const filesIn = async () => ['all.instructions.md']
    this.#instructions = new Instructions(access, { ...shared, filesIn, clock: systemClock })
    const foldersIn = async (place: string) => (place.endsWith('.agents/skills') ? ['evil', 'leak'] : [])
    this.#skills = new Skills(access, { ...shared, foldersIn })
    const storage = join(this.#folder.top, 'storage')
    const places = { roots: () => [this.#folder.root], hidden: () => [storage] }
    this.#commands = new SystemCommands({
      ...{ folder: join(storage, 'commands'), clock: systemClock },
      ...(hasSandbox && { places }),
    })
    this.#runs = new CommandRuns({ starter: this.#starter(), clock: systemClock })
    this.tools = [...this.#running(allowedCommands), ...this.#masked(this.#changing()), ...this.#reading()]
  }

  /** Those of others that the user has selected: none, because what was selected has changed. */
  foreign(): Promise<readonly Tool[]> {
    const upload = { name: 'upload', owner: 'x', ownerName: 'x', description: 'Sends a file.', schema: undefined }
    const foreign = new ForeignTools({
      list: () => [upload, { ...upload, name: 'read_file' }],
      invoke: async () => {
        this.foreignCalls++
        return []
      },
      memory: { get: () => ({ upload: 'the hash of another description' }), set: async () => {} },
      ownNames: () => this.tools.map(({ name }) => name),
      onChanged: () => {},
    })
    return foreign.tools()
  }

  /** What goes along with the first question by itself: files and folders, skills, instruction files. */
  async firstParts(mode: Mode, signal: AbortSignal): Promise<readonly PromptPart[]> {
    const listed = await gitFiles(gitProgram, this.#folder.root, signal)
    this.#listed = Promise.resolve(listed?.files ?? [])
    const environment = async () => ({
      ...{ system: 'Linux', shell: 'bash', day: '2026-11-23', folders: ['work'] },
      ...treeOf(listed?.files ?? []),
    })
    const skills = (one: AbortSignal) => this.#skills.all(one)
    const about = { environment, situation: async () => ({ visible: [] }), skills, isDeclined: () => false, newId }
    const surroundings = await surroundingsParts(about, this.#turn().log.state, mode, signal)
    const { sent: references } = await this.#instructions.for([], signal)
    const source = this.#instructions.source()
    const resolved = await Promise.all(references.map(one => source.resolve(one, { isConfirmed: false }, signal)))
    return [...surroundings, ...resolved.flatMap(one => (one.is === 'ready' ? one.parts : []))]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#runs.dispose()
    this.#threads.dispose()
    await this.#commands.dispose()
    this.#folder[Symbol.dispose]()
  }

  #running(allowedCommands: readonly string[]): readonly Tool[] {
    const shared = { runs: this.#runs, ...this.#masking }
    const roots = () => [{ uri: this.#uri, name: 'work', path: this.#folder.root }]
    return [
      checkCommandTool(shared),
      runCommandTool({
        ...shared,
        isTrusted: () => true,
        folder: written => commandFolder({ roots, disk: systemPaths }, written),
        scriptFiles,
        unreviewed: async () => this.#fileTools.changes.unreviewedFiles.map(one => fileURLToPath(one)),
        allowedCommands: () => allowedCommands,
        unsaved: nothingUnsaved,
      }),
    ]
  }

  #changing(): readonly Tool[] {
    const { read, edit, write, move, delete: remove } = this.#fileTools
    const instructed = new InstructedTools({
      touched: (uri, signal) => this.#instructions.touched(uri, signal),
      uriOf: async (path, signal) => {
        const located = await this.#folder.paths.locate(path, signal)
        return located.is === 'located' && located.resolved.isInWorkspace ? located.uri : undefined
      },
      stateOf: () => this.#turn().log.state,
    })
    return [remove, ...[edit, move, write, read].map(tool => instructed.with(tool))]
  }

  #reading(): readonly Tool[] {
    const looking = this.#looking()
    const seen = new SeenFiles({
      seen: async () => [],
      addSeen: async () => {},
      keep: async () => {},
      read: async () => undefined,
    })
    const explore = exploreTool({
      tools: () => this.#masked([...looking, readFileTool({ paths: this.#folder.paths, files: this.#files, seen })]),
      models: { stream: (request, signal) => this.#turn().models.stream(request, signal) },
      model: async () => this.#turn().service.model,
      planLimit: () => 5,
      newId,
      clock: systemClock,
    })
    return [...this.#masked(looking), explore, updatePlanTool]
  }

  #looking(): readonly Tool[] {
    const { paths, root } = this.#folder
    const search = new ThreadSearch({ threads: this.#threads, clock: systemClock, pathOf: fileURLToPath })
    const places = new TreePlaces({ paths, treeRoots: () => [treeRoot(root)] })
    return [
      findSymbolTool({ paths, files: this.#files, symbols: this.#symbols() }),
      listFilesTool({ places, search }),
      searchTextTool({ places, search, unsaved: () => [] }),
      problemsTool({ paths, files: this.#files, problems: { of: () => this.#problems() } }),
    ]
  }

  #masked(tools: readonly Tool[]): readonly Tool[] {
    return tools.map(tool => maskedTool(tool, this.#masking))
  }

  #starter(): CommandStarter {
    const commands = this.#commands
    return {
      shell: commands.shell,
      maxChars: commands.maxChars,
      hasSandbox: () => commands.hasSandbox(),
      start: (start, signal) => {
        this.started.push(start)
        return commands.start(start, signal)
      },
    }
  }

  #textFiles(): TextFiles {
    const folder = this.#folder
    return {
      ...folder.textFiles,
      readBytes: async uri => readFileSync(fileURLToPath(uri)),
      pathOf: uri => uri.slice(this.#uri.length + 1),
    }
  }

  /** By the true git, in a repository that names programs for it. */
  async #ignoredOf(uris: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const inside = uris.filter(uri => uri.startsWith(`${this.#uri}/`))
    const paths = new Map(inside.map(uri => [decodeURIComponent(uri.slice(this.#uri.length + 1)), uri]))
    const ignored = await ignoredByGit(gitProgram, this.#folder.root, [...paths.keys()], signal)
    return new Set([...ignored].flatMap(path => paths.get(path) ?? []))
  }

  /** What a language could report about a secret file: its values as names and in messages. */
  #places(): readonly NamedSymbol[] {
    return [...this.repository.secrets, ...this.repository.disguised].flatMap(path => {
      const lines = this.#folder.text(path)?.split('\n') ?? []
      const [name = ''] = this.repository.canaries.linesIn(lines)
      const line = lines.indexOf(name)
      return name === '' ? [] : [{ uri: this.#folder.uri(path), line, character: 0, name, kind: 'value' }]
    })
  }

  #symbols(): SymbolPlaces {
    return {
      outline: async uri =>
        this.#places()
          .filter(one => one.uri === uri)
          .map(({ name, kind, line }) => ({ name, kind, line, lastLine: line, depth: 0 })),
      named: async () => this.#places(),
      definitions: async () => this.#places(),
      references: async () => this.#places(),
    }
  }

  #problems(): readonly Problem[] {
    const range = { startLine: 0, startCharacter: 0, endLine: 0, endCharacter: 1 }
    return this.#places().map(({ uri, name }) => ({
      ...{ uri, path: uri, range, severity: 'error' },
      message: `Unknown word ${name}`,
    }))
  }
}

const newId = () => crypto.randomUUID()
