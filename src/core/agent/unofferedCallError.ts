// `UnofferedCallError`: an answer has only tool calls that cannot be carried out, and no text to show.
import { Fault } from '../http/fault.ts'

export class UnofferedCallError extends Fault {
  override readonly name = 'UnofferedCallError'

  /** The chat has tools, and several answers in a row had only calls that do not fit any of them. */
  readonly hasTools: boolean

  constructor(message = 'A tool was called in place of an answer', { hasTools = false } = {}) {
    super('request: unoffered call', message)
    this.hasTools = hasTools
  }
}
