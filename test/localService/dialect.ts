// How other services of this kind speak: one named choice for each point where they are known to differ.

/** The first value of each is what the service description specifies, or where it is silent, what most services do. */
export const choices = {
  // Discovery documents.

  /** Under which name the agent block announces where to register; `manual` points at a page for people. */
  identityEndpointName: [
    'identity_endpoint',
    'register_uri',
    'registration_endpoint',
    'identity_endpoint-and-register_uri',
    'null',
    'manual',
  ],
  /** Under which name it announces where a new code comes from. */
  claimEndpointName: ['claim_endpoint', 'claim_uri', 'anonymous.claim_uri', 'service_auth.claim_uri', 'absent'],
  /** Which document holds the block. */
  agentAuthPlace: ['authorization-server', 'protected-resource', 'nowhere'],
  /** How it names the ways to register. */
  identityTypes: ['service_auth', 'without-service_auth', 'none', 'absent', 'methods_supported', 'methods'],
  /** What else it contains: blocks, prose, and `revocation_uri`, which is not where a key is revoked. */
  agentAuthExtras: ['none', 'all'],
  /** With a path, the document is found by RFC 8414 3.1; a foreign issuer must not be believed (3.3). */
  issuer: ['plain', 'path', 'slash-in-server', 'slash-in-resource', 'foreign'],
  /** Whether the server's document repeats what belongs into the resource's. */
  resourceFields: ['apart', 'repeated'],
  metadataBytes: ['json', 'byte-order-mark', 'text/plain', 'text/html'],
  metadataDocuments: ['both', 'no-authorization-server', 'no-protected-resource'],
  /** The vendor word in the claim grant; `unlisted` names no grants at all and takes the commonest one. */
  claimGrant: ['kourier', 'workos', 'agent-artifacts', 'unlisted'],

  // Registration.

  serviceAuth: ['enabled', 'refused-with-400', 'refused-with-403'],
  /** Whether it wants `scopes` and refuses fields that it does not know. */
  registrationFields: ['lenient', 'strict'],
  registrationStatus: ['200', '201'],
  claimTokenPlace: ['claim_token', 'claim.token'],
  registrationEnd: ['claim_token_expires', 'claim.expires_at', 'absent'],
  scopesPlace: ['post_claim_scopes', 'scopes.post_claim'],

  // A code, from the registration or a new one.

  userCode: ['digits', 'leading-zeros', 'hyphen', 'number', 'absent'],
  /** `verification_uri_complete` comes besides and fills the code in; `claim.attempt` is a block inside the claim. */
  verificationLink: ['verification_uri', 'verification_uri_complete', 'claim.attempt', 'fragment'],
  codeLife: ['expires_in', 'text', 'expires_at', 'absent'],
  /** What is announced, not what is enforced. */
  interval: ['number', 'absent', 'zero', 'negative', 'text', 'hour'],
  /** What a request for a new code must bring besides the claim token. */
  newCodeRequest: ['email', 'login_hint', 'type-login_hint', 'type-service_auth'],
  newCodeAnswer: [
    'reference',
    'claim_attempt-only',
    'without-code',
    'by-mail',
    'assertion',
    'registration',
    'not-offered',
  ],

  // Token endpoint.

  /** The shape of every refusal of the sign-in endpoints. */
  errorBody: ['error_description', 'message', 'nested', 'message-is-code'],
  pendingStatus: ['400', '202'],
  /** With 429 comes a `Retry-After` of a minute. */
  slowDownStatus: ['400', '429'],
  deniedStatus: ['400', '403'],
  keyCreationError: ['access_denied', 'token_mint_failed'],
  /** Whether the words of `expired_token` distinguish a code that ran out from a registration that did. */
  expiredDescription: ['apart', 'same'],
  /** Whether a poll after the key was handed out is refused, or gives another key. */
  issue: ['once', 'repeatable'],
  /** Whether `resource` must be sent (RFC 8707 2). */
  tokenResource: ['optional', 'required'],
  tokenAnswer: ['plain', 'lower-case-type', 'more-fields', 'without-scope'],
  /** Calls from one address. */
  tokenCalls: ['unlimited', '300-an-hour'],

  // Revocation.

  /** With 503 the key goes on working (RFC 7009 2.2.1). */
  revokeAnswer: ['empty', 'object', 'null', '204', '503', 'unsupported_token_type'],
  revokeClient: ['anyone', 'client_id'],

  // Sign-in with the browser.

  browserSignIn: ['offered', 'absent'],
  /** RFC 9207: `unannounced` sends it without announcing it, `missing` announces it without sending it. */
  issParameter: ['sent', 'unannounced', 'absent', 'missing', 'foreign'],
  /** RFC 7591. With `secret` the client is given one and must send it. */
  clientRegistration: ['off', 'open', 'secret'],
  /** Whether a loopback address may come with any port (RFC 8252 7.3) or only with the one that was registered. */
  redirectPort: ['any', 'registered'],

  // Inference.

  /** Whether the model thinks before it answers, and which member of a request keeps it from that. */
  thinking: ['never', 'unless-effort', 'unless-type', 'unless-template', 'always'],
  /** What becomes of a member that would switch thinking off, and that this model does not have. */
  unknownMembers: ['ignored', 'refused'],
  /** What becomes of a last message of the assistant: the model begins anew, or goes on from it, or it is refused. */
  prefill: ['begun-anew', 'continued', 'refused'],
  /** Whether the model was trained to fill in text between tokens, or takes them for text. */
  fillInTokens: ['unknown', 'known'],
} as const

export type Choice = keyof typeof choices

export type Dialect = { -readonly [Name in Choice]: (typeof choices)[Name][number] }

export const plainDialect = (): Dialect =>
  Object.fromEntries(Object.entries(choices).map(([name, [usual]]) => [name, usual])) as Dialect

/** Choices that came as JSON or from a command line, or one sentence on what is wrong with them. */
export function readDialect(given: object): Partial<Dialect> | string {
  for (const [name, value] of Object.entries(given)) {
    if (!isChoice(name)) return `There is no choice '${name}'; there are ${Object.keys(choices).join(', ')}.`
    const values: readonly unknown[] = choices[name]
    if (!values.includes(value)) return `'${name}' is one of ${values.join(', ')}, not '${String(value)}'.`
  }
  return given
}

const isChoice = (name: string): name is Choice => Object.hasOwn(choices, name)
