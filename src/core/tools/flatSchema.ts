// `FlatSchema`: the parameters of a tool in a restricted schema, its JSON schema, and its description in words.
import { never } from '../../base/fault.ts'

/** No unions, no null, and no nesting except a list of flat objects: models make fewer mistakes in flat arguments. */
export interface FlatSchema {
  readonly properties: Readonly<Record<string, Parameter>>
  readonly required?: readonly string[]
}

export type Parameter = Scalar | List

export type Scalar = {
  readonly description?: string
} & (
  | { readonly type: 'string'; readonly enum?: readonly string[] }
  | { readonly type: 'integer' | 'number'; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: 'boolean' }
)

export interface List {
  readonly type: 'array'
  readonly description?: string
  readonly items: Scalar | FlatObject
}

export interface FlatObject {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Scalar>>
  readonly required?: readonly string[]
}

/** As JSON schema. Additional properties are not allowed, in objects of a list as well. */
export function jsonSchema({ properties, required = [] }: FlatSchema): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, parameterSchema(one)])),
    required,
    additionalProperties: false,
  }
}

function parameterSchema(parameter: Parameter): object {
  if (parameter.type !== 'array' || parameter.items.type !== 'object') return parameter
  const { required = [], ...items } = parameter.items
  return { ...parameter, items: { ...items, required, additionalProperties: false } }
}

/** One parameter as a line for the model: `path: text (required). The file.` */
export function parameterLine(name: string, parameter: Parameter, isRequired: boolean): string {
  const end = parameter.description ? `. ${parameter.description}` : ''
  return `${name}: ${typeName(parameter)} (${isRequired ? 'required' : 'optional'})${end}`
}

/** The type in words, with its limits. */
export function typeName(type: Parameter | FlatObject): string {
  switch (type.type) {
    case 'string':
      return type.enum ? `one of ${type.enum.map(value => JSON.stringify(value)).join(', ')}` : 'text'
    case 'integer':
    case 'number':
      return `${type.type === 'integer' ? 'whole number' : 'number'}${rangeText(type.minimum, type.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return type.items.type === 'object'
        ? `list of ${typeName(type.items)}`
        : `list, each item ${typeName(type.items)}`
    case 'object':
      return `objects {${Object.entries(type.properties)
        .map(([name, one]) => `${name}${type.required?.includes(name) ? '' : '?'}: ${typeName(one)}`)
        .join(', ')}}`
    default:
      return never(type)
  }
}

function rangeText(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  return maximum === undefined ? '' : `, at most ${maximum}`
}
