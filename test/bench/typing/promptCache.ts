// `PromptCache`: which part of a prompt a server with a prefix cache need not read, because a recent prompt begins alike.
import type { ModelRequest } from '../../../src/core/model/modelClient.ts'
import { plainText } from '../../../src/core/model/plainText.ts'
import { TOKEN_CHARS } from './tokens.ts'

/** So many prompts stay in the cache. */
const REMEMBERED = 8

export class PromptCache {
  #recent: readonly string[] = []

  read(request: ModelRequest): { promptTokens: number; uncachedTokens: number } {
    const prompt = promptOf(request)
    const shared = Math.max(0, ...this.#recent.map(other => sharedLength(prompt, other)))
    this.#recent = [...this.#recent, prompt].slice(-REMEMBERED)
    const promptTokens = Math.ceil(prompt.length / TOKEN_CHARS)
    return { promptTokens, uncachedTokens: promptTokens - Math.floor(shared / TOKEN_CHARS) }
  }
}

function promptOf({ system = '', messages }: ModelRequest): string {
  const texts = messages.map(({ role, parts }) => `${role}\n${plainText(parts.filter(isUserPart))}`)
  return [system, ...texts].join('\n')
}

const isUserPart = (part: ModelRequest['messages'][number]['parts'][number]) =>
  part.kind === 'text' || part.kind === 'image'

/** Halves the range in which they part, because comparing slices is faster than comparing characters. */
function sharedLength(a: string, b: string): number {
  let low = 0
  let high = Math.min(a.length, b.length)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (a.startsWith(b.slice(low, middle), low)) low = middle
    else high = middle - 1
  }
  return low
}
