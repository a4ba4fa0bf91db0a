// Ends the extension and starts it again, as the editor does when its window is reloaded, with the same storage.
import { createRequire } from 'node:module'
import type { ExtensionContext } from 'vscode'
import { observed } from './observed.ts'

interface Main {
  activate(context: ExtensionContext): void
  deactivate(): Promise<void> | undefined
}

/** In the same turn, as the editor does it; then it waits a while. */
export async function endExtension(): Promise<void> {
  const { context } = observed()
  const ended = load().deactivate()
  for (const one of context.subscriptions) one.dispose()
  await ended
}

/** Nothing that the one before had in memory is left. */
export function startExtension(): void {
  const { context } = observed()
  const { cache } = requireOf(context)
  for (const path of Object.keys(cache)) if (path.startsWith(context.extensionPath)) delete cache[path]
  load().activate(Object.create(context, { subscriptions: { value: [] } }) as ExtensionContext)
}

function load(): Main {
  const { context } = observed()
  return requireOf(context)(context.extension.packageJSON.main) as Main
}

const requireOf = ({ extensionPath }: ExtensionContext) => createRequire(`${extensionPath}/package.json`)
