// A program: loads the bundles that it is given, and reports what that changed in what all extensions of a process share.
import { createRequire } from 'node:module'
import process from 'node:process'

type Keys = ReadonlyMap<PropertyKey, readonly unknown[]>

const require = createRequire(import.meta.url)
const modules = ['http', 'https', 'net', 'tls', 'dns', 'fs', 'child_process', 'events', 'timers', 'module']

/** Everything global, with the prototypes, and the modules that others patch. */
function shared(): object[] {
  const globals = Object.getOwnPropertyNames(globalThis).map(name => Reflect.get(globalThis, name) as unknown)
  return [globalThis, process, ...globals, ...modules.map(name => require(`node:${name}`) as unknown)]
    .flatMap(value => (typeof value === 'function' ? [value, value.prototype as unknown] : [value]))
    .filter((value): value is object => value !== null && (typeof value === 'object' || typeof value === 'function'))
}

function look(object: object): Keys {
  return new Map(
    Reflect.ownKeys(object).map(key => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(object, key) ?? {}
      return [key, [value, get, set]]
    }),
  )
}

function changes(before: Keys, after: Keys): PropertyKey[] {
  const isSame = (key: PropertyKey) => before.get(key)?.every((part, at) => Object.is(part, after.get(key)?.[at]))
  return [...new Set([...before.keys(), ...after.keys()])].filter(key => !isSame(key))
}

const listeners = () => process.eventNames().map(name => `${String(name)} ${process.listenerCount(name)}`)

const objects = shared()
// Some globals are made when they are first looked at.
objects.forEach(look)
const before = objects.map(look)
const listenersBefore = listeners()
for (const path of process.argv.slice(2)) require(path)
const changed = objects.flatMap((object, at) => changes(before[at] ?? new Map(), look(object)).map(String))
// Listeners are reported by the names of their events, in place of the process's own members.
const added = listeners().filter(line => !listenersBefore.includes(line))
const names = [...new Set([...changed.filter(name => !name.startsWith('_events')), ...added])]
process.stdout.write(JSON.stringify({ looked: objects.length, changed: names }))
