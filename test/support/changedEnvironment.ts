// Variables of this process for the time of a test.
import process from 'node:process'

/** Sets them, or takes them away, until it is disposed of; in the real environment, which children and the system see. */
export function changedEnvironment(variables: Readonly<Record<string, string | undefined>>): Disposable {
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  for (const [name, value] of Object.entries(variables)) set(name, value)
  return {
    [Symbol.dispose]: () => {
      for (const [name, value] of before) set(name, value)
    },
  }
}
