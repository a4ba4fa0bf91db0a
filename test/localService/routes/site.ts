// What the website publishes for programs: the catalog, the description of the API, the setup skill.
import { Hono } from 'hono'
import type { Env, Parts } from '../parts.ts'
import { apiCatalog, catalogType } from '../site/apiCatalog.ts'
import { openapi } from '../site/openapi/openapi.ts'
import { catalogPath, openapiPath, skillPath } from '../site/paths.ts'
import { skill } from '../site/skill.ts'

export function site(parts: Parts): Hono<Env> {
  const { addresses } = parts
  return new Hono<Env>()
    .get(catalogPath, c => {
      // RFC 9727 3: who asks with HEAD learns from the header where the catalog is.
      const link = `<${addresses.siteUrl}${catalogPath}>; rel="api-catalog"`
      return c.body(JSON.stringify(apiCatalog(addresses)), 200, { 'content-type': catalogType, link })
    })
    .get(openapiPath, c => c.json(openapi(parts)))
    .get(skillPath, c => c.body(skill(parts), 200, { 'content-type': 'text/markdown; charset=utf-8' }))
}
