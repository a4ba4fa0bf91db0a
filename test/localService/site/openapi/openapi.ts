// The description of the whole service in OpenAPI 3.1, with the addresses and the model of this one.
import type { Parts } from '../../parts.ts'
import { catalogPath, openapiPath, skillPath } from '../paths.ts'
import { answer, type Described } from './content.ts'
import { inferencePaths } from './inferencePaths.ts'
import { componentSchemas } from './schemas.ts'
import { signInPaths } from './signInPaths.ts'

export function openapi(parts: Parts): Described {
  const { baseUrl, siteUrl } = parts.addresses
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kourier',
      version: '1.0.0-alpha',
      summary: 'One language model on three surfaces, and how an agent gets a key for its user.',
      description: `How to get a key, step by step: ${siteUrl}${skillPath}.`,
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Inference', description: 'The model. Every call needs a key.' },
      { name: 'Sign-in', description: 'How a key is given to a program, and given up.' },
      { name: 'Site', description: 'What is published for programs.' },
    ],
    paths: { ...inferencePaths(parts), ...signInPaths(parts), ...sitePaths(siteUrl) },
    components: { schemas: componentSchemas(), securitySchemes: securitySchemes(parts) },
  }
}

const securitySchemes = ({ addresses: { authUrl } }: Parts): Described => ({
  bearer: { type: 'http', scheme: 'bearer', description: 'A key, which begins with `sk-bf-`.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key, on the messages surface only.',
  },
  oauth2: {
    type: 'oauth2',
    description: 'Sign-in with the browser, with PKCE. What comes out of it is a key.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${authUrl}/oauth2/authorize`,
        tokenUrl: `${authUrl}/oauth2/token`,
        scopes: { inference: 'Ask the model with the plan of the account.' },
      },
    },
  },
})

function sitePaths(siteUrl: string): Described {
  const document = (operationId: string, summary: string, type: string): Described => ({
    servers: [{ url: siteUrl }],
    get: {
      tags: ['Site'],
      security: [],
      operationId,
      summary,
      responses: { 200: answer('The document.', { [type]: { schema: { type: 'string' } } }) },
    },
  })
  return {
    [catalogPath]: document('getApiCatalog', 'Which APIs there are (RFC 9727).', 'application/linkset+json'),
    [openapiPath]: document('getDescription', 'This description.', 'application/json'),
    [skillPath]: document('getSetupSkill', 'How an agent sets itself up.', 'text/markdown'),
  }
}
