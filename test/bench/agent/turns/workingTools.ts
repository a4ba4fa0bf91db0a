// `WorkingTools`: the agent's tools on a real folder, with real threads and processes, as a window has them.

import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Clock, systemClock } from '../../../../src/base/clock.ts'
import { checkCommandTool } from '../../../../src/core/tools/checkCommandTool.ts'
import { commandFolder } from '../../../../src/core/tools/commandFolder.ts'
import type { CommandStarter } from '../../../../src/core/tools/commandPorts.ts'
import { CommandRecorder } from '../../../../src/core/tools/commandRecorder.ts'
import { CommandRuns } from '../../../../src/core/tools/commandRuns.ts'
import { listFilesTool } from '../../../../src/core/tools/listFilesTool.ts'
import { runCommandTool } from '../../../../src/core/tools/runCommandTool.ts'
import { searchTextTool } from '../../../../src/core/tools/searchTextTool.ts'
import { SecretTrace } from '../../../../src/core/tools/secretTrace.ts'
import { SecretValues } from '../../../../src/core/tools/secretValues.ts'
import type { Tool } from '../../../../src/core/tools/tool.ts'
import { TreePlaces } from '../../../../src/core/tools/treePlaces.ts'
import { updatePlanTool } from '../../../../src/core/tools/updatePlanTool.ts'
import { systemPaths } from '../../../../src/node/changes/systemPaths.ts'
import { scriptFiles } from '../../../../src/node/commands/scriptFiles.ts'
import { SystemCommands } from '../../../../src/node/commands/systemCommands.ts'
import { ThreadSearch } from '../../../../src/node/search/threadSearch.ts'
import { ThreadWatch } from '../../../../src/node/search/threadWatch.ts'
import { TreeThreads } from '../../../../src/node/search/treeThreads.ts'
import { nothingUnsaved } from '../../../support/nothingUnsaved.ts'
import { pathOf, treeRoot } from '../../../support/searchedFolder.ts'
import { type FileTools, ToolFolder, type ToolFolderSetup } from '../../../support/toolFolder.ts'
import { searchScript } from '../search/searchScript.ts'

/** As in a window. */
const WATCH_IDLE_MS = 15 * 60_000

export interface WorkingSetup extends ToolFolderSetup {
  /** Where the system has no sandbox the commands run outside of it, and are asked about as if it had one. */
  readonly hasSandbox?: boolean
  /** Of what rests and ends by itself; the commands have the system's. */
  readonly clock?: Clock
  /** On top of the variables of this process, for the commands. */
  readonly variables?: Readonly<Record<string, string>>
}

export class WorkingTools implements AsyncDisposable {
  readonly folder: ToolFolder
  readonly files: FileTools
  readonly runs: CommandRuns
  readonly tools: readonly Tool[]
  readonly #commands: SystemCommands
  readonly #search: TreeThreads
  readonly #watch: ThreadWatch

  constructor({ hasSandbox = false, clock = systemClock, variables = {}, ...setup }: WorkingSetup) {
    const environment = { ...process.env, SHELL: '/bin/bash', ...variables }
    this.#search = new TreeThreads({ script: searchScript, clock })
    this.folder = new ToolFolder(setup)
    const { root, top, paths } = this.folder
    this.files = this.folder.newTools()
    const places = { roots: () => [root], hidden: () => [] }
    this.#commands = new SystemCommands({ folder: `${top}/commands`, clock: systemClock, environment, places })
    const starter = hasSandbox ? withSandbox(this.#commands) : this.#commands
    this.runs = new CommandRuns({ starter, clock: systemClock })
    const looking = new TreeThreads({ script: searchScript, clock, size: 1, idleMs: WATCH_IDLE_MS })
    this.#watch = new ThreadWatch({ threads: looking, folder: `${top}/kept`, uriOf: path => pathToFileURL(path).href })
    const roots = () => [treeRoot(root)]
    const recorder = new CommandRecorder({
      ...{ watch: this.#watch, changes: this.files.changes, clock: systemClock, roots },
    })
    this.files.changes.onDidWrite(uri => recorder.exclude(uri))
    const tree = new TreePlaces({ paths, treeRoots: roots })
    const search = new ThreadSearch({ threads: this.#search, clock: systemClock, pathOf })
    const shared = { runs: this.runs, secrets: new SecretValues(environment), trace: new SecretTrace() }
    const { read, edit, write, move, delete: remove } = this.files
    this.tools = [
      ...[read, edit, write, move, remove, updatePlanTool, checkCommandTool(shared)],
      listFilesTool({ places: tree, search }),
      searchTextTool({ places: tree, search, unsaved: () => [] }),
      runCommandTool({
        ...{ ...shared, watch: recorder, scriptFiles, isTrusted: () => true, allowedCommands: () => [] },
        unreviewed: async () => [],
        folder: written =>
          commandFolder({ roots: () => [{ uri: `file://${root}`, name: '', path: root }], disk: systemPaths }, written),
        unsaved: nothingUnsaved,
      }),
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.runs.dispose()
    await this.#commands.dispose()
    this.#search.dispose()
    this.#watch.dispose()
    this.folder[Symbol.dispose]()
  }
}

const withSandbox = (commands: SystemCommands): CommandStarter => ({
  shell: commands.shell,
  maxChars: commands.maxChars,
  hasSandbox: async () => true,
  start: async ({ isSandboxed = false, ...start }) =>
    commands.start({ ...start, isSandboxed: isSandboxed && (await commands.hasSandbox()) }),
})
