// `checkArguments`: the arguments of a call against the schema of its tool, known slips corrected.
import { never } from '../../base/fault.ts'
import { objectOf } from '../../protocol/json.ts'
import { type FlatObject, type FlatSchema, type Parameter, parameterLine, type Scalar, typeName } from './flatSchema.ts'
import type { ToolInput } from './tool.ts'

export type CheckedArguments =
  | { readonly isFit: true; readonly input: ToolInput }
  /** `problem`: what is wrong first and where, and what the tool takes, for the model. */
  | { readonly isFit: false; readonly problem: string }

/**
 * Only the slips of a closed table are corrected. A member that the tool does not have is refused by name: to drop one
 * that the model has misspelled would carry out another call than the one it meant.
 */
export function checkArguments(toolName: string, schema: FlatSchema, given: unknown): CheckedArguments {
  const members = membersOf(given)
  const checked = members
    ? checkedObject(renamed(members, schema), schema, '')
    : new Misfit(`The arguments are no JSON object: ${excerpt(given)}`)
  if (checked instanceof Misfit) return { isFit: false, problem: `${checked.text}.\n${usage(toolName, schema)}` }
  return { isFit: true, input: checked }
}

const membersOf = (value: unknown) => (Array.isArray(value) ? undefined : objectOf(value))

class Misfit {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const EXCERPT_CHARS = 80

/** Of a long text the end, where one that was to be an object usually breaks off. */
function excerpt(given: unknown): string {
  const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '')
  return text.length > EXCERPT_CHARS
    ? `they end with ${JSON.stringify(text.slice(-EXCERPT_CHARS))}`
    : JSON.stringify(text)
}

function usage(toolName: string, { properties, required = [] }: FlatSchema): string {
  const lines = Object.entries(properties).map(([name, one]) => parameterLine(name, one, required.includes(name)))
  if (lines.length === 0) return `${toolName} takes no parameters.`
  return `${toolName} takes:\n${lines.map(line => `- ${line}`).join('\n')}`
}

/** Names that models use for another one, where the tool has the other and not this. */
const RENAMES: readonly (readonly [given: string, meant: string])[] = [
  ['file_path', 'path'],
  ['filePath', 'path'],
  ['query', 'pattern'],
]

function renamed(members: ToolInput, { properties }: FlatSchema): ToolInput {
  const meant: Record<string, unknown> = { ...members }
  for (const [given, name] of RENAMES) {
    const isSlip = Object.hasOwn(meant, given) && !Object.hasOwn(properties, given)
    if (!isSlip || !Object.hasOwn(properties, name) || Object.hasOwn(meant, name)) continue
    meant[name] = meant[given]
    delete meant[given]
  }
  return meant
}

function checkedObject(
  members: ToolInput,
  { properties, required = [] }: FlatSchema | FlatObject,
  path: string,
): ToolInput | Misfit {
  const unknown = Object.keys(members).find(name => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return new Misfit(`There is no parameter ${JSON.stringify(path + unknown)}`)
  const missing = required.find(name => !Object.hasOwn(members, name))
  if (missing !== undefined) return new Misfit(`The parameter ${JSON.stringify(path + missing)} is missing`)
  const checked: [string, unknown][] = []
  for (const [name, parameter] of Object.entries(properties)) {
    if (!Object.hasOwn(members, name)) continue
    const value = checkedValue(members[name], parameter, path + name)
    if (value instanceof Misfit) return value
    checked.push([name, value])
  }
  return Object.fromEntries(checked)
}

function checkedValue(value: unknown, parameter: Parameter, path: string): unknown {
  if (parameter.type === 'array') return checkedList(value, parameter.items, path)
  const meant = parameter.type === 'integer' || parameter.type === 'number' ? asNumber(value) : value
  return fits(meant, parameter) ? meant : misfit(value, parameter, path)
}

/** A single object that was not wrapped in a list is one of them. */
function checkedList(value: unknown, items: Scalar | FlatObject, path: string): unknown[] | Misfit {
  const list = Array.isArray(value) || items.type !== 'object' || !membersOf(value) ? value : [value]
  if (!Array.isArray(list)) return misfit(value, { type: 'array', items }, path)
  const checked: unknown[] = []
  for (const [at, item] of list.entries()) {
    const one = checkedItem(item, items, `${path}[${at}]`)
    if (one instanceof Misfit) return one
    checked.push(one)
  }
  return checked
}

function checkedItem(item: unknown, items: Scalar | FlatObject, path: string): unknown {
  if (items.type !== 'object') return checkedValue(item, items, path)
  const members = membersOf(item)
  return members ? checkedObject(members, items, `${path}.`) : misfit(item, items, path)
}

/** A number that was written as a text. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

function fits(value: unknown, parameter: Scalar): boolean {
  switch (parameter.type) {
    case 'string':
      return typeof value === 'string' && (parameter.enum?.includes(value) ?? true)
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
    case 'number': {
      const { minimum = -Infinity, maximum = Infinity } = parameter
      const isNumber = typeof value === 'number' && (parameter.type === 'number' || Number.isInteger(value))
      return isNumber && value >= minimum && value <= maximum
    }
    default:
      return never(parameter)
  }
}

function misfit(value: unknown, type: Parameter | FlatObject, path: string): Misfit {
  const said = JSON.stringify(value) ?? 'nothing'
  const shown = said.length > EXCERPT_CHARS ? `${said.slice(0, EXCERPT_CHARS)}…` : said
  return new Misfit(`The parameter ${JSON.stringify(path)} must be ${article(type)}${typeName(type)}, but is ${shown}`)
}

const article = ({ type }: Parameter | FlatObject) =>
  type === 'integer' || type === 'number' || type === 'array' ? 'a ' : ''
