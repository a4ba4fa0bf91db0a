// `checkArguments`: checks the arguments of a call against the schema of its tool, and corrects known mistakes.
import { never } from '../../base/fault.ts'
import { objectOf } from '../../protocol/json.ts'
import { type FlatObject, type FlatSchema, type Parameter, parameterLine, type Scalar, typeName } from './flatSchema.ts'
import type { ToolInput } from './tool.ts'

export type CheckedArguments =
  | { readonly isFit: true; readonly input: ToolInput }
  /** `problem`: a text for the model with the first mistake, its place, and the parameters of the tool. */
  | { readonly isFit: false; readonly problem: string }

/**
 * Only a fixed list of mistakes is corrected. An unknown parameter is refused by name, because without a misspelled
 * parameter another call would be carried out than the model meant.
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

/** The end of a long text, because an object that is cut is incomplete there. */
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

/** Parameter names that models confuse. A name is replaced if the tool has only the other one. */
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

/** A single object in place of a list of objects is taken as a list of one. */
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

/** Converts a number that was sent as a string. */
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
  const json = JSON.stringify(value) ?? 'nothing'
  const shown = json.length > EXCERPT_CHARS ? `${json.slice(0, EXCERPT_CHARS)}…` : json
  return new Misfit(`The parameter ${JSON.stringify(path)} must be ${article(type)}${typeName(type)}, but is ${shown}`)
}

const article = ({ type }: Parameter | FlatObject) =>
  type === 'integer' || type === 'number' || type === 'array' ? 'a ' : ''
