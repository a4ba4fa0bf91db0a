// The model called tools that cannot be carried out, and said nothing that could be shown.
import { Fault } from '../http/fault.ts'

export class UnofferedCallError extends Fault {
  override readonly name = 'UnofferedCallError'

  constructor(message = 'A tool was called in place of an answer') {
    super('request: unoffered call', message)
  }
}
