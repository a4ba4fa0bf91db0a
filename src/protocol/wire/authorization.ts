// The query of the authorization request, and reading the query of its redirect.

/** Service description, Authorization: `GET {auth_url}/oauth2/authorize` (RFC 6749 4.1.1, RFC 7636 4.3). */
export interface AuthorizationQuery {
  readonly response_type: 'code'
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly code_challenge_method: 'S256'
  readonly state: string
}

/** The redirect's own members (RFC 6749 4.1.2 and 4.1.2.1; `iss`: RFC 9207 2). */
export const answerNames = ['code', 'state', 'iss', 'error', 'error_description'] as const

export type AuthorizationAnswer = { readonly [Name in (typeof answerNames)[number]]?: string }

/** Undefined if a member is repeated: RFC 6749 3.1 forbids it, and parsers differ in which value they use. */
export function readAuthorizationAnswer(query: URLSearchParams): AuthorizationAnswer | undefined {
  const answer: { -readonly [Name in keyof AuthorizationAnswer]: string } = {}
  for (const name of answerNames) {
    const [value, ...more] = query.getAll(name)
    if (more.length > 0) return undefined
    if (value !== undefined) answer[name] = value
  }
  return answer
}
