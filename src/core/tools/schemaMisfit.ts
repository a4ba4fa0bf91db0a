// `schemaMisfit`: the first place where a value does not fit a JSON schema of somebody else.
import { listOf, objectOf } from '../../protocol/json.ts'

/** Deeper than any schema is meant to be. */
const MOST_LEVELS = 32
const EXCERPT_CHARS = 80

/**
 * Undefined where the value fits. Checks types, `enum`, `const`, `required`, the members of objects and the items of
 * lists; keywords that it does not know are let through, because the tool itself checks what it is given.
 */
export function schemaMisfit(schema: unknown, value: unknown, path = '', level = 0): string | undefined {
  const rules = objectOf(schema)
  if (!rules || level > MOST_LEVELS) return undefined
  const types = typesOf(rules)
  if (types.length > 0 && !types.some(type => isOfType(value, type)))
    return `${named(path)} must be ${types.map(typeWord).join(' or ')}, but is ${excerpt(value)}`
  const allowed = allowedValues(rules)
  if (allowed && !allowed.some(one => isEqual(one, value)))
    return `${named(path)} must be ${listed(allowed)}, but is ${excerpt(value)}`
  if (Array.isArray(value)) return misfitInList(rules, value, path, level)
  return isObject(value) ? misfitInObject(rules, value, path, level) : undefined
}

/** What the tool takes, one line for each parameter. */
export function schemaUsage(toolName: string, schema: unknown): string {
  const rules = objectOf(schema) ?? {}
  const required = listOf(rules['required'])
  const lines = Object.entries(objectOf(rules['properties']) ?? {}).map(([name, one]) => {
    const types = typesOf(objectOf(one) ?? {}).map(typeWord)
    const end = required.includes(name) ? 'required' : 'optional'
    return `- ${name}: ${types.join(' or ') || 'any value'} (${end})`
  })
  return lines.length === 0 ? `${toolName} takes no parameters.` : `${toolName} takes:\n${lines.join('\n')}`
}

type Rules = Readonly<Record<string, unknown>>

function misfitInList({ items }: Rules, value: readonly unknown[], path: string, level: number): string | undefined {
  for (const [at, item] of value.entries()) {
    const misfit = schemaMisfit(items, item, `${path}[${at}]`, level + 1)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

function misfitInObject(rules: Rules, value: Rules, path: string, level: number): string | undefined {
  const place = (name: string) => (path === '' ? name : `${path}.${name}`)
  const missing = listOf(rules['required']).find(name => typeof name === 'string' && !Object.hasOwn(value, name))
  if (missing !== undefined) return `${named(place(String(missing)))} is missing`
  const properties = objectOf(rules['properties']) ?? {}
  for (const [name, member] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, name)
    if (!isKnown && isClosed(rules)) return `There is no parameter ${JSON.stringify(place(name))}`
    const misfit = schemaMisfit(isKnown ? properties[name] : restOf(rules), member, place(name), level + 1)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

/** Where names are allowed by a pattern, it is left to the tool. */
const isClosed = (rules: Rules) => rules['additionalProperties'] === false && rules['patternProperties'] === undefined

const restOf = (rules: Rules) => (rules['patternProperties'] === undefined ? rules['additionalProperties'] : undefined)

function typesOf({ type }: Rules): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string')
}

function allowedValues(rules: Rules): readonly unknown[] | undefined {
  if (Object.hasOwn(rules, 'const')) return [rules['const']]
  return Array.isArray(rules['enum']) ? rules['enum'] : undefined
}

function isObject(value: unknown): value is Rules {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A type that no one knows fits everything. */
function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return true
  }
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const typeWord = (type: string) => words[type] ?? type

const named = (path: string) => (path === '' ? 'The value' : `The parameter ${JSON.stringify(path)}`)

function excerpt(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing'
  return json.length > EXCERPT_CHARS ? `${json.slice(0, EXCERPT_CHARS)}…` : json
}

const listed = (values: readonly unknown[]) => values.map(one => JSON.stringify(one)).join(' or ')

/** JSON values; the order of members does not matter. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b)
}

/** The same text for values that differ in the order of members only. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, one: unknown) =>
      isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
    ) ?? ''
  )
}
