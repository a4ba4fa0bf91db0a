// `NoModelError`: no model is selected, so the user has to select one.
import { Fault } from '../http/fault.ts'

export class NoModelError extends Fault {
  override readonly name = 'NoModelError'

  constructor() {
    super('request: no model', 'There is no model to ask')
  }
}
