// The API catalog: which APIs there are, and where each is described (RFC 9727, a link set of RFC 9264).
import type { Addresses } from '../addresses.ts'
import { catalogPath, openapiPath, skillPath } from './paths.ts'

/** RFC 9727 4.2 wants the profile named. */
export const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

export function apiCatalog({ baseUrl, authUrl, siteUrl }: Addresses) {
  const resource = `${baseUrl}/.well-known/oauth-protected-resource`
  const apis = [
    { anchor: `${baseUrl}/v1`, metadata: resource },
    { anchor: `${baseUrl}/anthropic`, metadata: resource },
    { anchor: authUrl, metadata: `${authUrl}/.well-known/oauth-authorization-server` },
  ]
  return {
    linkset: [
      { anchor: siteUrl + catalogPath, item: apis.map(({ anchor }) => ({ href: anchor })) },
      ...apis.map(({ anchor, metadata }) => ({
        anchor,
        'service-desc': [{ href: `${siteUrl}${openapiPath}`, type: 'application/json' }],
        'service-doc': [{ href: siteUrl + skillPath, type: 'text/markdown' }],
        'service-meta': [{ href: metadata, type: 'application/json' }],
      })),
    ],
  }
}
