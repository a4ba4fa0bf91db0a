// `RefusedError`: the model declined to answer, or a content filter stopped its answer.
import { Fault } from '../http/fault.ts'

export class RefusedError extends Fault {
  override readonly name = 'RefusedError'
  /** A part of the answer has arrived. */
  readonly hasBegun: boolean

  constructor(hasBegun: boolean) {
    super('request: declined', 'Refused')
    this.hasBegun = hasBegun
  }
}
