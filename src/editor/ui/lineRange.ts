// `lineRange`: a range of the editor as attachments have it.
import type { Range } from 'vscode'
import type { LineRange } from '../../protocol/conversation.ts'

export function lineRange({ start, end }: Range): LineRange {
  return { startLine: start.line, startCharacter: start.character, endLine: end.line, endCharacter: end.character }
}
