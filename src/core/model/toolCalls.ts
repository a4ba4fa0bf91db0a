// Tool-call pieces into whole calls, whole only at the end.
import type { ToolCallPiece } from '../../protocol/inference/chatCompletions.ts'
import type { ModelEvent } from './modelClient.ts'

interface Open {
  readonly call: string
  readonly name: string
  readonly index: number | undefined
  text: string
  /** Some servers send the arguments as an object in place of text. */
  object: unknown
}

/**
 * Collects the pieces of tool calls. A piece belongs to the call of its index; without an index to the call of its id,
 * else to the last one. A new id under the same index begins a new call, and so does a name where the call before is
 * whole: some servers count wrongly and give no ids.
 */
export class ToolCalls {
  #open: Open[] = []

  get count(): number {
    return this.#open.length
  }

  *take(piece: ToolCallPiece): Iterable<ModelEvent> {
    const name = piece.function?.name || undefined
    const given = piece.function?.arguments
    let open = this.#find(piece, name)
    if (!open) {
      if (!name) return
      // Unlike any id of the service, in this answer and in those before.
      const call = piece.id || `call_${crypto.randomUUID()}`
      open = { call, name, index: piece.index ?? undefined, text: '', object: undefined }
      this.#open.push(open)
      yield { kind: 'tool-input-start', call: open.call, name }
    }
    if (typeof given === 'string' && given) {
      open.text += given
      yield { kind: 'tool-input-delta', call: open.call, text: given }
    } else if (typeof given === 'object' && given !== null) {
      open.object = given
    }
  }

  /** The whole calls. One whose arguments are no JSON object comes as a text: whoever runs tools refuses it. */
  *finish(): Iterable<ModelEvent> {
    for (const { call, name, text, object } of this.#open) {
      yield { kind: 'tool-call', call, name, input: object ?? readArguments(text) }
    }
  }

  #find({ index, id, function: called }: ToolCallPiece, name: string | undefined): Open | undefined {
    const candidates = index == null ? this.#open : this.#open.filter(open => open.index === index)
    const last = candidates.at(-1)
    if (id) {
      // Another id is another call, even where the server counts wrongly; without a name it can only go on.
      return candidates.find(open => open.call === id) ?? (name ? undefined : last)
    }
    return last && name && beginsAnother(last, name, called?.arguments) ? undefined : last
  }
}

/** Some servers repeat the name with each piece; only one that follows a whole call, or is another, begins a call. */
function beginsAnother(last: Open, name: string, given: unknown): boolean {
  const isWhole = last.object !== undefined || typeof readArguments(last.text) === 'object'
  if (!isWhole) return false
  const isEmpty = last.object === undefined && !last.text.trim()
  return last.name !== name || (!isEmpty && given !== undefined && given !== '')
}

function readArguments(text: string): unknown {
  if (!text.trim()) return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : text
  } catch {
    return text
  }
}
