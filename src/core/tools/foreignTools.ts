// `ForeignTools`: the tools of other extensions and of MCP servers that the user has selected for a workspace.

import { isAbort, raceAbort } from '../../base/abort.ts'
import { contentHash } from '../../base/contentHash.ts'
import { faultText } from '../../base/fault.ts'
import { sanitizeLine } from '../../base/text.ts'
import { objectOf, textOf } from '../../protocol/json.ts'
import { marksNote, modelText } from '../workspace/modelText.ts'
import type { CheckedArguments } from './checkArguments.ts'
import { canonicalJson, schemaMisfit, schemaUsage } from './schemaMisfit.ts'
import type { PreparedCall, Tool, ToolContext, ToolInput, ToolOutput } from './tool.ts'
import { errorOutput } from './toolOutput.ts'

/** As the editor lists it. `owner`: who provides it, an extension or a server; `ownerName`: as it is shown. */
export interface ForeignTool {
  readonly name: string
  readonly owner: string
  readonly ownerName: string
  readonly description: string
  readonly schema: object | undefined
}

/** `kind` other than text and image: only its size is returned. */
export type ForeignContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'other'; readonly mediaType: string; readonly sizeBytes: number }

export interface ForeignToolPorts {
  readonly list: () => readonly ForeignTool[]
  /** Rejects where the tool fails; with an abort where the user does not let it run. */
  readonly invoke: (name: string, input: ToolInput, signal: AbortSignal) => Promise<readonly ForeignContent[]>
  readonly memory: ForeignToolMemory
  /** The names of Kourier's own tools. */
  readonly ownNames: () => readonly string[]
  /** Notifies the user that these are off, because they are others than those that were selected. */
  readonly onChanged: (tools: readonly ForeignTool[]) => void
}

/** What is kept for a workspace, outside of it: a record of names and hashes. */
export interface ForeignToolMemory {
  get(): unknown
  set(value: Readonly<Record<string, string>>): Promise<void>
}

/** `tool`: undefined where nobody provides it at present. */
export interface ForeignToolChoice {
  readonly name: string
  readonly tool: ForeignTool | undefined
  readonly isSelected: boolean
}

/** Models choose worse with each further tool. */
const MOST_FOREIGN = 20
const MOST_TOOLS = 32
const MOST_CHARS = 16_000
const MOST_IMAGES = 4

interface Offered {
  readonly key: string
  readonly tools: readonly Tool[]
}

/**
 * None is offered before the user selects it, and one whose description or schema has changed since is off again: a
 * description is read by the model, so another one is another tool.
 */
export class ForeignTools {
  readonly #ports: ForeignToolPorts
  /** As they were last listed. A server that has stopped keeps its tools, so that requests begin as before. */
  readonly #known = new Map<string, ForeignTool>()
  #offered: Offered = { key: '', tools: [] }

  constructor(ports: ForeignToolPorts) {
    this.#ports = ports
  }

  /** How many can be selected. */
  get most(): number {
    return Math.max(0, Math.min(MOST_FOREIGN, MOST_TOOLS - this.#ports.ownNames().length))
  }

  async choices(): Promise<readonly ForeignToolChoice[]> {
    const hashes = this.#selected()
    const listed = this.#listed()
    const choices = listed.map(async tool => {
      const isSelected = hashes.get(tool.name) === (await hashOf(tool))
      return { name: tool.name, tool, isSelected }
    })
    const missing = [...hashes.keys()].filter(name => !listed.some(tool => tool.name === name))
    return [...(await Promise.all(choices)), ...missing.map(name => ({ name, tool: undefined, isSelected: true }))]
  }

  /** In place of all that were selected before. */
  async select(names: readonly string[]): Promise<void> {
    const listed = this.#listed()
    const selected = this.#selected()
    const hashes = names.slice(0, this.most).map(async name => {
      const tool = listed.find(one => one.name === name)
      return [name, tool ? await hashOf(tool) : selected.get(name)] as const
    })
    const kept = (await Promise.all(hashes)).filter((one): one is readonly [string, string] => one[1] !== undefined)
    await this.#ports.memory.set(Object.fromEntries(kept))
  }

  /** Those that are selected and unchanged; the same list as before where nothing has changed. */
  async tools(): Promise<readonly Tool[]> {
    const selected = this.#selected()
    if (selected.size === 0) return []
    for (const tool of this.#listed()) this.#known.set(tool.name, tool)
    const known = [...selected].flatMap(([name, hash]) => {
      const tool = this.#known.get(name)
      return tool ? [{ tool, hash }] : []
    })
    const judged = await Promise.all(
      known.map(async one => ({ ...one, isSame: (await hashOf(one.tool)) === one.hash })),
    )
    const changed = judged.filter(({ isSame }) => !isSame).map(({ tool }) => tool)
    if (changed.length > 0) await this.#turnOff(changed)
    const valid = judged.filter(({ isSame }) => isSame).slice(0, this.most)
    const names = this.#ports.ownNames()
    const key = JSON.stringify([valid.map(({ tool, hash }) => [tool.name, hash]), names])
    if (this.#offered.key !== key) {
      const tools = await Promise.all(valid.map(({ tool, hash }) => this.#offer(tool, hash, names)))
      this.#offered = { key, tools }
    }
    return this.#offered.tools
  }

  #selected(): ReadonlyMap<string, string> {
    const kept = Object.entries(objectOf(this.#ports.memory.get()) ?? {})
    return new Map(kept.map(([name, hash]) => [name, textOf(hash)]))
  }

  /** Without those whose arguments would be no object, which services refuse; and each name once. */
  #listed(): readonly ForeignTool[] {
    const all = this.#ports.list().filter(({ schema }) => takesObject(schema))
    return [...new Map(all.map(tool => [tool.name, tool])).values()]
  }

  async #turnOff(changed: readonly ForeignTool[]): Promise<void> {
    const rest = [...this.#selected()].filter(([name]) => !changed.some(tool => tool.name === name))
    await this.#ports.memory.set(Object.fromEntries(rest))
    this.#ports.onChanged(changed)
  }

  async #offer(tool: ForeignTool, hash: string, ownNames: readonly string[]): Promise<Tool> {
    const name = await nameFor(tool.name, ownNames)
    const schema = tool.schema ?? { type: 'object', properties: {} }
    return {
      name,
      description: modelText(tool.description).text,
      parameters: { properties: {} },
      schema,
      rights: 'run',
      check: input => checked(name, schema, input),
      prepare: input => this.#prepare(tool, hash, input),
      run: (input, context, signal) => this.#run(tool, hash, input, context, signal),
    }
  }

  async #isSame({ name }: ForeignTool, hash: string): Promise<boolean> {
    const now = this.#listed().find(tool => tool.name === name)
    return now === undefined || (await hashOf(now)) === hash
  }

  /** Always asked about, because nothing is known of what the tool does with its arguments. */
  async #prepare(tool: ForeignTool, hash: string, input: ToolInput): Promise<PreparedCall> {
    if (!(await this.#isSame(tool, hash))) return { is: 'refused', output: changedText(tool) }
    return {
      is: 'ready',
      concerns: [{ is: 'sends', target: sanitizeLine(tool.ownerName) }],
      preview: { kind: 'arguments', text: JSON.stringify(input, undefined, 2) },
      boundTo: hash,
      remembered: `tool:${tool.name}:${hash}`,
    }
  }

  async #run(
    tool: ForeignTool,
    hash: string,
    input: ToolInput,
    { approved }: ToolContext,
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    if (!approved) return { content: [], isOutdated: true }
    if (!(await this.#isSame(tool, hash))) return errorOutput(changedText(tool))
    try {
      return output(await raceAbort(this.#ports.invoke(tool.name, input, signal), signal))
    } catch (fault) {
      if (signal.aborted) throw fault
      if (isAbort(fault)) return errorOutput('The user declined this call in the editor. Do not try it another way.')
      return errorOutput(`The tool failed. It reports: ${modelText(faultText(fault)).text.slice(0, MOST_CHARS)}`)
    }
  }
}

/** The same schema with its members in another order is no other tool. */
function hashOf({ name, owner, description, schema }: ForeignTool): Promise<string> {
  return contentHash(canonicalJson([name, owner, description, schema ?? null]))
}

function takesObject(schema: object | undefined): boolean {
  return schema === undefined || objectOf(schema)?.['type'] === 'object'
}

const MOST_NAME_CHARS = 64
const HASH_CHARS = 6

/** A name that services accept and that none of Kourier's own tools has; other than the tool's own only if it must be. */
async function nameFor(name: string, ownNames: readonly string[]): Promise<string> {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name) && !ownNames.includes(name)) return name
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MOST_NAME_CHARS - HASH_CHARS - 1)
  return `${plain}_${(await contentHash(name)).slice(0, HASH_CHARS)}`
}

function checked(name: string, schema: object, given: unknown): CheckedArguments {
  const input = objectOf(given)
  const problem = input && !Array.isArray(given) ? schemaMisfit(schema, given) : 'The arguments are no JSON object'
  if (!input || problem !== undefined) return { isFit: false, problem: `${problem}.\n${schemaUsage(name, schema)}` }
  return { isFit: true, input }
}

const changedText = ({ name }: ForeignTool) =>
  `${JSON.stringify(name)} was not called. It has changed since the user selected it, so it is off. Go on without it, and tell the user that it can be selected again with the command Select Tools.`

/** Texts as one, cut where there is too much; at most so many images; of other content its kind and size. */
function output(parts: readonly ForeignContent[]): ToolOutput {
  const { text, ...marks } = modelText(parts.flatMap(textIn).join('\n'))
  const shown = text.slice(0, MOST_CHARS)
  const left = text.length - shown.length
  const images = parts.filter(part => part.kind === 'image')
  const notes = [
    left > 0 ? `… ${left} more characters were left out.` : '',
    images.length > MOST_IMAGES ? `${images.length - MOST_IMAGES} more images were left out.` : '',
    marksNote(marks),
  ]
  const words = [shown, ...notes].filter(one => one !== '').join('\n')
  const isEmpty = words === '' && images.length === 0
  return {
    content: [
      ...(words === '' && !isEmpty ? [] : [{ kind: 'text', text: isEmpty ? 'It returned nothing.' : words } as const]),
      ...images.slice(0, MOST_IMAGES),
    ],
  }
}

function textIn(part: ForeignContent): string[] {
  switch (part.kind) {
    case 'text':
      return [part.text]
    case 'image':
      return []
    case 'other':
      return [`(${part.mediaType}, ${part.sizeBytes} bytes, left out)`]
  }
}
