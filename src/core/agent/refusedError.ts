// The model declined to answer, or was stopped by what watches over it.
import { Fault } from '../http/fault.ts'

export class RefusedError extends Fault {
  override readonly name = 'RefusedError'
  /** A part of an answer has arrived. */
  readonly hasBegun: boolean

  constructor(hasBegun: boolean) {
    super('request: declined', 'Refused')
    this.hasBegun = hasBegun
  }
}
