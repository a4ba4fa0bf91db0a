// `createAgent`: what the turns of every conversation share; the tools are loaded with the first question.
import { type Memento, workspace } from 'vscode'
import { Emitter, type Event } from '../base/event.ts'
import { lazy } from '../base/lazy.ts'
import type { AgentOptions } from '../core/agent/session.ts'
import { AllowedActions } from '../core/tools/approvals.ts'
import type { ForeignTools } from '../core/tools/foreignTools.ts'
import type { EditorSettings } from '../editor/ui/editorSettings.ts'
import type { AgentCommands } from './agentCommands.ts'
import type { AgentTools } from './agentTools.ts'

export const hasFolder = (): boolean => (workspace.workspaceFolders?.length ?? 0) > 0

/** Without a folder, or in one that is not trusted, there is nothing that a tool may read. */
export const hasTools = (): boolean => workspace.isTrusted && hasFolder()

export interface Agent extends AgentOptions {
  /** The commands of the agent; undefined until its tools are loaded. */
  readonly commands: AgentCommands | undefined
  /** A probe has shown that commands can run in a sandbox here, with a question in this window or in an earlier one. */
  readonly hasSandbox: boolean
  /** `commands` is there, and later `hasSandbox` may be another one. */
  readonly onDidLoad: Event<void>
  /** The conversations with which nothing about the workspace goes along. */
  readonly withoutSurroundings: Set<string>
  /** The tools of other extensions and of servers. */
  readonly foreign: () => Promise<ForeignTools>
}

const SANDBOX_KEY = 'kourier.hasSandbox'

/** `memory`: that of this machine. */
export function createAgent(settings: EditorSettings, memory: Memento, load: () => Promise<AgentTools>): Agent {
  let commands: AgentCommands | undefined
  let hasSandbox = memory.get(SANDBOX_KEY) === true
  const didLoad = new Emitter<void>()
  const loaded = lazy(async () => {
    const tools = await load()
    commands = tools.commands
    didLoad.fire()
    return tools
  })
  // Not before a question, because the probe starts programs.
  const probed = lazy(async () => {
    const found = await (await loaded()).commands.hasSandbox().catch(() => false)
    if (found === hasSandbox) return
    hasSandbox = found
    await memory.update(SANDBOX_KEY, found)
    didLoad.fire()
  })
  return {
    get hasSandbox() {
      return hasSandbox
    },
    get commands() {
      return commands
    },
    onDidLoad: didLoad.event,
    foreign: async () => (await loaded()).foreign,
    tools: async () => (hasTools() ? (await loaded()).tools() : []),
    allowed: new AllowedActions(),
    refusedBy: new Set(),
    withoutSurroundings: new Set(),
    defaultMode: () => settings.get('agent.mode'),
    maxRequests: () => settings.get('agent.maxRequests'),
    growth: async () => {
      probed().catch(() => {}) // without a sandbox the mode is not offered
      return (await loaded()).growth
    },
    surroundings: async (...needs) => (await loaded()).surroundings(...needs),
  }
}
