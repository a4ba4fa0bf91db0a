// The tools that run commands, on real processes in a temporary workspace.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { TestContext } from 'node:test'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { checkCommandTool } from '../../src/core/tools/checkCommandTool.ts'
import { commandFolder } from '../../src/core/tools/commandFolder.ts'
import { CommandRuns } from '../../src/core/tools/commandRuns.ts'
import { type RunCommandPorts, runCommandTool } from '../../src/core/tools/runCommandTool.ts'
import { SecretTrace } from '../../src/core/tools/secretTrace.ts'
import { SecretValues } from '../../src/core/tools/secretValues.ts'
import type { PreparedCall, Tool, ToolContext, ToolInput, ToolOutput } from '../../src/core/tools/tool.ts'
import { systemPaths } from '../../src/node/changes/systemPaths.ts'
import type { SandboxPlaces } from '../../src/node/commands/sandbox.ts'
import { scriptFiles } from '../../src/node/commands/scriptFiles.ts'
import { SystemCommands } from '../../src/node/commands/systemCommands.ts'
import { nothingUnsaved } from './nothingUnsaved.ts'

export interface CommandToolsOptions {
  readonly shell?: string
  readonly environment?: NodeJS.ProcessEnv
  /** Of the waits. */
  readonly clock?: Clock
  readonly processClock?: Clock
  readonly ports?: Partial<RunCommandPorts>
  readonly places?: Partial<SandboxPlaces>
}

export class CommandTools {
  readonly folder: string
  readonly storage: string
  readonly commands: SystemCommands
  readonly runs: CommandRuns
  readonly run: Tool
  readonly check: Tool
  /** What was shown while a command ran. */
  readonly progress: string[] = []
  #calls = 0

  constructor(
    context: Pick<TestContext, 'after'>,
    {
      shell = '/bin/bash',
      environment = {},
      clock = systemClock,
      processClock = systemClock,
      ports,
      places,
    }: CommandToolsOptions = {},
  ) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kourier-test-')))
    this.folder = join(folder, 'work')
    this.storage = join(folder, 'storage')
    mkdirSync(this.folder)
    const variables = { ...process.env, SHELL: shell, ...environment }
    this.commands = new SystemCommands({
      ...{ folder: this.storage, clock: processClock, environment: variables },
      places: { roots: () => [this.folder], hidden: () => [this.storage], ...places },
    })
    this.runs = new CommandRuns({ starter: this.commands, clock })
    const shared = { runs: this.runs, secrets: new SecretValues(variables), trace: new SecretTrace() }
    const roots = () => [{ uri: `file://${this.folder}`, name: 'work', path: this.folder }]
    this.run = runCommandTool({
      ...shared,
      isTrusted: () => true,
      folder: written => commandFolder({ roots, disk: systemPaths }, written),
      scriptFiles,
      unreviewed: async () => [],
      allowedCommands: () => [],
      unsaved: nothingUnsaved,
      ...ports,
    })
    this.check = checkCommandTool(shared)
    context.after(async () => {
      this.runs.dispose()
      await this.commands.dispose()
      rmSync(folder, { recursive: true, force: true })
    })
  }

  prepare(input: ToolInput, conversation = 'c'): Promise<PreparedCall> {
    const prepared = this.run.prepare?.(
      input,
      { conversation, turn: 't', answer: 'a', part: 'p' },
      new AbortController().signal,
    )
    if (!prepared) throw new Error('The tool prepares nothing')
    return prepared
  }

  /** As the turn does it: prepared, then carried out. */
  async call(input: ToolInput, signal = new AbortController().signal, conversation = 'c'): Promise<ToolOutput> {
    const prepared = await this.prepare({ why: 'a test', ...input }, conversation)
    if (prepared.is === 'answered') return prepared.output
    if (prepared.is === 'refused') return { isError: true, content: [{ kind: 'text', text: prepared.output }] }
    return this.run.run({ why: 'a test', ...input }, this.#context(conversation, prepared.boundTo), signal)
  }

  /** The text that the model gets. */
  async text(command: string, more: ToolInput = {}): Promise<string> {
    return textOf(await this.call({ command, ...more }))
  }

  async checked(input: ToolInput, conversation = 'c'): Promise<string> {
    return textOf(await this.check.run(input, this.#context(conversation, undefined), new AbortController().signal))
  }

  #context(conversation: string, boundTo: string | undefined): ToolContext {
    return {
      conversation,
      turn: 't',
      answer: 'a',
      part: `p${++this.#calls}`,
      approved: true,
      boundTo,
      record: async () => {},
      progress: text => this.progress.push(text),
    }
  }
}

export function textOf({ content }: ToolOutput): string {
  return content.map(part => (part.kind === 'text' ? part.text : '')).join('\n')
}
