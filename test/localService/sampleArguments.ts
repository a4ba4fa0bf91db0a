// Arguments that a tool's schema allows, made up without any thought.
import { isObject, isStrings, type JsonObject } from './json.ts'

export function sampleArguments(schema: JsonObject | undefined): JsonObject {
  const sample = sampleOf(schema ?? {}, 0)
  return isObject(sample) ? sample : {}
}

/** A schema that refers to itself must come to an end. */
const deepest = 8

function sampleOf(schema: JsonObject, depth: number): unknown {
  const { enum: choices, type } = schema
  if ('default' in schema) return schema['default']
  if ('const' in schema) return schema['const']
  if (Array.isArray(choices)) return choices[0]
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'string') return 'sample'
  if (kind === 'number' || kind === 'integer') return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
  if (kind === 'boolean') return true
  if (kind === 'array') return []
  if (kind === 'null' || depth > deepest) return null
  return objectOf(schema, depth)
}

function objectOf({ properties, required }: JsonObject, depth: number): JsonObject {
  const known = isObject(properties) ? properties : {}
  const names = isStrings(required) ? required : []
  return Object.fromEntries(
    names.map(name => {
      const property = known[name]
      return [name, sampleOf(isObject(property) ? property : {}, depth + 1)]
    }),
  )
}
