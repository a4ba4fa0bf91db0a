// Every schema that the description names: the very ones that judge the requests and that the answers are held against.
import * as z from 'zod'
import { gatewayErrorResponse, messagesErrorResponse } from '../../schema/apiError.ts'
import { authorizeRequest } from '../../schema/authorize.ts'
import { chatCompletion, chatCompletionChunk, chatCompletionRequest } from '../../schema/chat.ts'
import { claimObject, newCodeRequest, newCodeResponse } from '../../schema/claim.ts'
import { clientRegistrationRequest, clientRegistrationResponse } from '../../schema/clientRegistration.ts'
import { registrationRequest, registrationResponse } from '../../schema/identity.ts'
import { messageObject, messagesEvent, messagesRequest } from '../../schema/messages.ts'
import { resourceMetadata, serverMetadata } from '../../schema/metadata.ts'
import { modelList } from '../../schema/models.ts'
import { oauthErrorResponse } from '../../schema/oauthError.ts'
import { responseObject, responsesEvent, responsesRequest } from '../../schema/responses.ts'
import { revokeRequest } from '../../schema/revoke.ts'
import { authorizationCodeRequest, claimGrantRequest, tokenRequest, tokenResponse } from '../../schema/token.ts'

export const schemas = {
  ResourceMetadata: resourceMetadata,
  ServerMetadata: serverMetadata,
  RegistrationRequest: registrationRequest,
  RegistrationResponse: registrationResponse,
  ClaimObject: claimObject,
  NewCodeRequest: newCodeRequest,
  NewCodeResponse: newCodeResponse,
  ClaimGrantRequest: claimGrantRequest,
  AuthorizationCodeRequest: authorizationCodeRequest,
  TokenRequest: tokenRequest,
  TokenResponse: tokenResponse,
  RevokeRequest: revokeRequest,
  ClientRegistrationRequest: clientRegistrationRequest,
  ClientRegistrationResponse: clientRegistrationResponse,
  OauthErrorResponse: oauthErrorResponse,
  ModelList: modelList,
  ChatCompletionRequest: chatCompletionRequest,
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatCompletionChunk,
  ResponsesRequest: responsesRequest,
  ResponseObject: responseObject,
  ResponsesEvent: responsesEvent,
  MessagesRequest: messagesRequest,
  MessageObject: messageObject,
  MessagesEvent: messagesEvent,
  GatewayErrorResponse: gatewayErrorResponse,
  MessagesErrorResponse: messagesErrorResponse,
} as const

export type SchemaName = keyof typeof schemas

export type JsonSchema = Readonly<Record<string, unknown>>

export const schemaRef = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` })

/** All of them as JSON Schema, each referring to the others by name. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const generated = z.toJSONSchema(registry, { io: 'input', uri: id => `#/components/schemas/${id}` })
  return Object.fromEntries(Object.entries(generated.schemas).map(([id, schema]) => [id, plain(schema)]))
}

/** In a description the place of a schema is its name (OpenAPI 3.1, Schema Object). */
function plain({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** The query of the authorize page, one parameter for each field. */
export const authorizeParameters = () =>
  Object.entries(authorizeRequest.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: plain(z.toJSONSchema(schema, { io: 'input' })),
  }))
