// `SecretTrace`: the conversations in which the value of a secret was replaced, because a program that could send it may follow.

/** In memory alone, like the commands themselves. */
export class SecretTrace {
  readonly #conversations = new Set<string>()

  add(conversation: string): void {
    this.#conversations.add(conversation)
  }

  has(conversation: string): boolean {
    return this.#conversations.has(conversation)
  }
}
