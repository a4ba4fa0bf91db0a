// `loadAgentTools`: makes the tools of the agent, at the first question.
import type { ExtensionContext } from 'vscode'
import type { GrowthSources } from '../core/agent/contextGrowth.ts'
import { exploreTool } from '../core/agent/exploreTool.ts'
import { InstructedTools } from '../core/agent/instructedTools.ts'
import type { AgentOptions } from '../core/agent/session.ts'
import { surroundingsParts } from '../core/agent/surroundings.ts'
import type { ContextSources } from '../core/context/contextSources.ts'
import { deleteFileTool } from '../core/tools/deleteFileTool.ts'
import { editFileTool } from '../core/tools/editFileTool.ts'
import { ForeignTools } from '../core/tools/foreignTools.ts'
import { maskedTool } from '../core/tools/maskedTool.ts'
import { moveFileTool } from '../core/tools/moveFileTool.ts'
import { PlannedChanges } from '../core/tools/plannedChanges.ts'
import { problemsTool } from '../core/tools/problemsTool.ts'
import { readFileTool } from '../core/tools/readFileTool.ts'
import { SeenFiles } from '../core/tools/seenFiles.ts'
import type { Tool } from '../core/tools/tool.ts'
import { ToolPaths } from '../core/tools/toolPaths.ts'
import { updatePlanTool } from '../core/tools/updatePlanTool.ts'
import { writeFileTool } from '../core/tools/writeFileTool.ts'
import { editorPaths } from '../editor/edit/editorPaths.ts'
import { invokeForeignTool, listForeignTools } from '../editor/tools/editorForeignTools.ts'
import { editorSurroundings } from '../editor/tools/editorSurroundings.ts'
import { followFileNames } from '../editor/tools/followFileNames.ts'
import { newProblems } from '../editor/tools/newProblems.ts'
import { rememberedTools } from '../editor/tools/rememberedTools.ts'
import { reportChangedTools } from '../editor/tools/selectTools.ts'
import { systemPaths } from '../node/changes/systemPaths.ts'
import { systemName } from '../node/systemName.ts'
import type { PromptPart } from '../protocol/conversation.ts'
import { type AgentCommands, createAgentCommands } from './agentCommands.ts'
import { searchTools } from './searchTools.ts'
import type { Services } from './services.ts'

export interface AgentTools {
  /** Kourier's own, and those of others that the user has selected. */
  readonly tools: () => Promise<readonly Tool[]>
  readonly foreign: ForeignTools
  readonly commands: AgentCommands
  readonly surroundings: NonNullable<AgentOptions['surroundings']>
  readonly growth: GrowthSources
}

export async function loadAgentTools(extension: ExtensionContext, services: Services): Promise<AgentTools> {
  const { workspaceGit, access, clock, changeServices, context, sessions, models, selection, scheduler, life } =
    services
  const [
    { listing },
    { changes, resolver, store, guard, files: changedFiles },
    { files, problems, instructions, skills, sources },
    counter,
  ] = await Promise.all([workspaceGit(), changeServices(), context(), services.counter()])
  const seen = new SeenFiles(store)
  life.add(followFileNames(seen))
  const paths = new ToolPaths({
    resolver,
    roots: editorPaths(systemPaths).roots,
    files: files.files,
    access,
    paths: async signal => (await listing.list(undefined, {}, signal)).files.map(({ path }) => path),
  })
  const planned = new PlannedChanges()
  const commands = createAgentCommands(extension, services, changes, planned)
  const surroundings = editorSurroundings({
    listing,
    access,
    system: systemName(),
    shell: commands.runs.starter.shell,
    today: () => new Date(clock.now()),
    skills: signal => skills.all(signal),
    isDeclined: conversation => services.agent.withoutSurroundings.has(conversation),
    clock,
    newId: () => crypto.randomUUID(),
  })
  const written = {
    ...{ paths, seen, changes, guard, planned, files: changedFiles },
    problems: newProblems(problems),
  }
  const instructed = new InstructedTools({
    touched: (uri, signal) => instructions.touched(uri, signal),
    uriOf: async (path, signal) => {
      const located = await paths.locate(path, signal)
      return located.is === 'located' && located.resolved.isInWorkspace ? located.uri : undefined
    },
    stateOf: conversation => sessions.all.find(({ id }) => id === conversation)?.conversation,
  })
  const search = searchTools(extension, services, paths, files.files)
  // What an exploration reads, the chat has not seen.
  const unseen = new SeenFiles({
    seen: async () => [],
    addSeen: async () => {},
    keep: async () => {},
    read: async () => undefined,
  })
  const masked = (tools: readonly Tool[], countsFor?: string) =>
    tools.map(tool => maskedTool(tool, commands.masking, countsFor))
  const looking = [...search, problemsTool({ paths, files: files.files, problems })]
  const own: readonly Tool[] = [
    ...commands.tools,
    ...masked([
      deleteFileTool(written),
      instructed.with(editFileTool(written)),
      instructed.with(moveFileTool(written)),
      instructed.with(writeFileTool(written)),
      instructed.with(readFileTool({ paths, files: files.files, seen })),
      ...looking,
    ]),
    exploreTool({
      tools: conversation =>
        masked([...looking, readFileTool({ paths, files: files.files, seen: unseen })], conversation),
      models,
      model: (signal, refused) => selection.forChat(signal, refused),
      planLimit: () => scheduler.state.limit,
      newId: () => crypto.randomUUID(),
      clock,
    }),
    updatePlanTool,
  ]
  const foreign = new ForeignTools({
    list: listForeignTools,
    invoke: invokeForeignTool,
    memory: rememberedTools(extension.workspaceState),
    ownNames: () => own.map(({ name }) => name),
    onChanged: reportChangedTools,
  })
  return {
    tools: async () => [...own, ...masked(await foreign.tools())],
    foreign,
    commands,
    surroundings: (state, mode, signal) => surroundingsParts(surroundings, state, mode, signal),
    growth: {
      counter,
      limitsOf: services.selection.limitsOf,
      pathOf: uri => files.files.pathOf(uri),
      running: conversation => commands.runs.inBackground(conversation),
      instructions: (uris, signal) => readInstructions(sources, uris, signal),
    },
  }
}

/** What can still be read of the files without asking the user. */
async function readInstructions(
  sources: ContextSources,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<readonly PromptPart[]> {
  const read = uris.map(uri => sources.resolve({ source: 'instructions', uri }, { isConfirmed: false }, signal))
  return (await Promise.all(read)).flatMap(resolved => (resolved.is === 'ready' ? resolved.parts : []))
}
