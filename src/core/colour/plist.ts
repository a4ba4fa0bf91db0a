// `readPlist`: reads a property list in XML, the form of themes that other editors use as well.

type Value = string | number | boolean | Value[] | { [key: string]: Value }

const element = /<!--[\s\S]*?-->|<(\/?)(dict|array|key|string|integer|real|true|false|date|data)\s*(\/?)>([^<]*)/g
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Undefined for a text without a value. */
export function readPlist(text: string): unknown {
  const root: Value[] = []
  const open: (Value[] | Map<string, Value>)[] = [root]
  let key = ''
  const keys: string[] = []
  const put = (value: Value) => {
    const target = open.at(-1)
    if (target instanceof Map) target.set(key, value)
    else target?.push(value)
  }
  for (const [, slash, name, isEmpty, content = ''] of text.matchAll(element)) {
    if (name === 'dict' || name === 'array') {
      if (!slash) {
        keys.push(key)
        open.push(name === 'dict' ? new Map() : [])
      }
      if ((slash || isEmpty) && open.length > 1) {
        const done = open.pop()
        key = keys.pop() ?? ''
        put(done instanceof Map ? Object.fromEntries(done) : (done ?? []))
      }
    } else if (!slash && name === 'key') key = decoded(content)
    else if (!slash && name) put(scalar(name, content))
  }
  return root[0]
}

function scalar(name: string, content: string): Value {
  if (name === 'true' || name === 'false') return name === 'true'
  return name === 'integer' || name === 'real' ? Number(content) : decoded(content)
}

const decoded = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (found, decimal, hexadecimal, name) => {
    if (name) return entities[name] ?? found
    const point = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : found
  })
