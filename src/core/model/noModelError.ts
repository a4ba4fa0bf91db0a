// There is no model to ask: the user has to select one.

export class NoModelError extends Error {
  override readonly name = 'NoModelError'
}
