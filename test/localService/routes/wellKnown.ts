// Where both metadata documents are found.
import { type Context, Hono } from 'hono'
import { issuerPath, resourceMetadata, serverMetadata } from '../metadata.ts'
import { oauthError } from '../oauthError.ts'
import type { Env, Parts } from '../parts.ts'

const server = '/.well-known/oauth-authorization-server'

export function wellKnown(parts: Parts): Hono<Env> {
  const { dialect } = parts
  const absent = () => oauthError(parts, 'not_found', 'There is no such document here.', 404)
  const serverAt = (path: '' | typeof issuerPath) => {
    const isHere = (dialect.issuer === 'path' ? issuerPath : '') === path
    return isHere && dialect.metadataDocuments !== 'no-authorization-server'
  }
  return new Hono<Env>()
    .get('/.well-known/oauth-protected-resource', c =>
      dialect.metadataDocuments === 'no-protected-resource' ? absent() : document(c, resourceMetadata(parts), parts),
    )
    .get(server, c => (serverAt('') ? document(c, serverMetadata(parts), parts) : absent()))
    .get(server + issuerPath, c => (serverAt(issuerPath) ? document(c, serverMetadata(parts), parts) : absent()))
}

function document(c: Context<Env>, metadata: object, { dialect: { metadataBytes } }: Parts): Response {
  const isMislabelled = metadataBytes === 'text/plain' || metadataBytes === 'text/html'
  const text = (metadataBytes === 'byte-order-mark' ? '\ufeff' : '') + JSON.stringify(metadata)
  return c.body(text, 200, { 'content-type': isMislabelled ? metadataBytes : 'application/json' })
}
