// `UnofferedCallError`: an answer has only tool calls that cannot be carried out, and no text to show.
import { Fault } from '../http/fault.ts'

export class UnofferedCallError extends Fault {
  override readonly name = 'UnofferedCallError'

  constructor(message = 'A tool was called in place of an answer') {
    super('request: unoffered call', message)
  }
}
