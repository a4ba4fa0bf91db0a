// `activate` and `deactivate`: start the features, and end what they share.
import type { ExtensionContext } from 'vscode'
import { features } from './features/features.ts'
import { createServices, type Services } from './features/services.ts'

const running: Services[] = []

export function activate(context: ExtensionContext): void {
  const services = createServices(context)
  running.push(services)
  context.subscriptions.push(services, ...features.map(start => start(services, context)))
}

/** The editor waits some seconds for it: a key on its way is stored or revoked, and a chat is written. */
export async function deactivate(): Promise<void> {
  await Promise.all(running.splice(0).map(services => services.end()))
}
