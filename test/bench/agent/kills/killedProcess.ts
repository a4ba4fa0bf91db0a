// Makes the changes in a folder and ends in the middle of it, as by a power cut: at a certain operation on files.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const [top = '', killAt = '0'] = process.argv.slice(2)
let operations = 0

function counted(): void {
  if (++operations === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

type Call = (...values: unknown[]) => unknown
const files = createRequire(import.meta.url)('node:fs/promises') as Record<string, Call> // as: each member is replaced by one of its kind

/** Before and after each operation. */
function wrap(owner: Record<string, Call>, names: readonly string[]): void {
  for (const name of names) {
    const original = owner[name]
    if (!original) throw new Error(`There is no ${name}`)
    owner[name] = async function (this: unknown, ...values: unknown[]) {
      counted()
      const result = await original.apply(this, values)
      counted()
      return result
    }
  }
}

const { open } = await import('node:fs/promises')
const handle = await open(import.meta.filename)
const proto = Object.getPrototypeOf(handle) as Record<string, Call> // as: the methods of a handle
await handle.close()
/** Half of what is written, so that a cut in the middle of it is one too. */
for (const name of ['writeFile', 'appendFile']) {
  const original = proto[name]
  proto[name] = async function (this: unknown, content: unknown) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : (content as Uint8Array) // as: the code under test writes only these
    const middle = bytes.length >> 1
    await original?.call(this, bytes.subarray(0, middle))
    counted()
    await original?.call(this, bytes.subarray(middle))
    counted()
  }
}
wrap(proto, ['sync', 'datasync', 'chmod', 'truncate'])
wrap(files, ['open', 'rename', 'link', 'unlink', 'mkdir'])
syncBuiltinESMExports()

const { ChangedFolder } = await import('./changedFolder.ts')
const folder = new ChangedFolder(top)
const states = [folder.state()]
await folder.run(() => states.push(folder.state()))
process.stdout.write(JSON.stringify({ operations, states }))
