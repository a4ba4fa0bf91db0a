// The request that revokes a credential.

/** Form-encoded (service description, Revocation; RFC 7009 2.1). The answer's body has no meaning. */
export interface RevocationForm {
  readonly token: string
}
