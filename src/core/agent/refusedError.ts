// The model declined to answer, or was stopped by what watches over it.

export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** A part of an answer has arrived. */
  readonly hasBegun: boolean

  constructor(hasBegun: boolean) {
    super('Refused')
    this.hasBegun = hasBegun
  }
}
