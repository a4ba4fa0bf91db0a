// The address of the service's dashboard, its page about plan and keys.
import type { Account } from './account.ts'

/**
 * On the host of the authorization server: where the model answers there may be no page for people. `issuer` is that of
 * the key that it is about. Without one it is that of the key in use, and where none is in use `find` asks the service.
 * Undefined where there is no service to ask.
 */
export async function dashboardAddress(
  { state }: Pick<Account, 'state'>,
  find: (() => Promise<string>) | undefined,
  issuer?: string,
): Promise<string | undefined> {
  const inUse = state.is === 'in' || state.is === 'refused' ? state.account.issuer : undefined
  const host = issuer ?? inUse ?? (await find?.())
  return host && `${host}/dashboard`
}
