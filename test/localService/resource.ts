// Which addresses a key may be wanted for (RFC 8707 2): any of the API, with or without a path.
import type { Parts } from './parts.ts'

export const isOwnResource = (resource: string, { addresses }: Parts): boolean =>
  URL.canParse(resource) && new URL(resource).origin === addresses.baseUrl

/** What is wrong with the resource of a token request, where something is. */
export function resourceProblem(resource: string | undefined, parts: Parts): string | undefined {
  if (resource !== undefined) return isOwnResource(resource, parts) ? undefined : 'This service has no such resource.'
  return parts.dialect.tokenResource === 'required' ? "'resource' must name the address of the API." : undefined
}
