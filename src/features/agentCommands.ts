// `createAgentCommands`: what runs commands for the agent, and the tools with which it asks for it.
import { type ExtensionContext, Uri, workspace } from 'vscode'
import { linkedAbort, raceAbort } from '../base/abort.ts'
import type { Session } from '../core/agent/session.ts'
import type { Changes } from '../core/tools/changes.ts'
import { checkCommandTool } from '../core/tools/checkCommandTool.ts'
import { commandFolder } from '../core/tools/commandFolder.ts'
import { CommandRuns } from '../core/tools/commandRuns.ts'
import type { Masking } from '../core/tools/maskedTool.ts'
import type { PlannedChanges } from '../core/tools/plannedChanges.ts'
import { runCommandTool } from '../core/tools/runCommandTool.ts'
import { SecretTrace } from '../core/tools/secretTrace.ts'
import { SecretValues } from '../core/tools/secretValues.ts'
import type { Tool } from '../core/tools/tool.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { editorPaths } from '../editor/edit/editorPaths.ts'
import { protectedGlobs } from '../editor/edit/protectedGlobs.ts'
import { followWrites } from '../editor/tools/followWrites.ts'
import { showTakenFiles } from '../editor/tools/showTakenFiles.ts'
import { TerminalMirrors } from '../editor/tools/terminalMirror.ts'
import { unsavedChanges } from '../editor/tools/unsavedChanges.ts'
import { watchCreations } from '../editor/tools/watchCreations.ts'
import { systemPaths } from '../node/changes/systemPaths.ts'
import { editorStorage } from '../node/commands/editorStorage.ts'
import { scriptFiles } from '../node/commands/scriptFiles.ts'
import { SystemCommands } from '../node/commands/systemCommands.ts'
import { realPath } from '../node/files/realPath.ts'
import { createCommandWatch } from './commandWatch.ts'
import { commandFolder as commandFolderOf } from './leftCommands.ts'
import type { Services } from './services.ts'

/** Of those that are on the disk. */
async function realPaths(uris: readonly string[]): Promise<readonly string[]> {
  const paths = uris.map(uri => Uri.parse(uri, true)).flatMap(uri => (uri.scheme === 'file' ? [uri.fsPath] : []))
  const real = await Promise.all(paths.map(realPath))
  return real.filter(path => path !== undefined)
}

export interface AgentCommands {
  readonly tools: readonly Tool[]
  readonly runs: CommandRuns
  /** Whether the mode `sandbox` may be offered; it is tried at the first call. */
  readonly hasSandbox: () => Promise<boolean>
  readonly mirrors: TerminalMirrors
  /** For the results of every tool. */
  readonly masking: Masking
  /** Stops what runs, and resolves when what it has changed until now is recorded, or after a while. */
  end(): Promise<void>
}

/** The editor does not wait much longer for the end of a window. */
const LONGEST_END_MS = 3_000

export function createAgentCommands(
  extension: ExtensionContext,
  services: Services,
  changes: Changes,
  planned: PlannedChanges,
): AgentCommands {
  const { globalStorageUri, storageUri } = extension
  const { clock, settings, life } = services
  const { roots } = editorPaths(systemPaths)
  const starter = new SystemCommands({
    folder: commandFolderOf(extension),
    clock,
    places: {
      roots: () => roots().flatMap(({ path }) => path ?? []),
      hidden: () => editorStorage({ all: globalStorageUri.fsPath, workspace: storageUri?.fsPath }),
      globs: root => ({
        protected: protectedGlobs(Uri.file(root).toString()),
        excluded: completionSettings({ id: Uri.file(root).toString(), language: '' }).exclude,
      }),
      watch: watchCreations,
    },
    onTaken: files => void showTakenFiles(files, file => starter.putBack(file)),
  })
  life.add(followWrites(path => void starter.noteWritten(path)))
  life.add(
    changes.onDidWrite(written => {
      const uri = Uri.parse(written, true)
      if (uri.scheme === 'file') void starter.noteWritten(uri.fsPath)
    }),
  )
  // What has not ended by the time the process does is killed then.
  life.add({ dispose: () => void starter.dispose() })
  const runs = life.add(new CommandRuns({ starter, clock }))
  const closeDeleted = ({ id, conversation }: Session) => {
    if (conversation.isDeleted) void runs.close(id)
  }
  life.add(services.sessions.onDidChangeFacts(closeDeleted))
  const masking = { secrets: new SecretValues(process.env), trace: new SecretTrace() }
  const watch = createCommandWatch(extension, services, changes)
  const shared = { runs, ...masking }
  const tools = [
    checkCommandTool(shared),
    runCommandTool({
      ...shared,
      isTrusted: () => workspace.isTrusted,
      folder: written => commandFolder({ roots, disk: systemPaths }, written),
      scriptFiles,
      unreviewed: () => realPaths(changes.unreviewedFiles),
      allowedCommands: () => settings.get('agent.allowedCommands'),
      unsaved: unsavedChanges(changes, planned, realPath),
      watch,
    }),
  ]
  return {
    tools,
    runs,
    hasSandbox: () => starter.hasSandbox(),
    mirrors: life.add(new TerminalMirrors(runs)),
    masking,
    async end() {
      const limit = linkedAbort()
      const cancel = clock.later(LONGEST_END_MS, () => limit.stop())
      const recorded = runs.end().then(() => watch.whenIdle(limit.signal))
      await raceAbort(recorded, limit.signal).catch(() => {})
      cancel()
      limit.unlink()
    },
  }
}
