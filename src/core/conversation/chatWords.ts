// `ChatWords`: the words of a conversation as text that are not of the conversation.

export interface ChatWords {
  readonly you: string
  readonly kourier: string
  readonly thinking: string
  readonly interrupted: string
  readonly result: string
  readonly attached: (name: string) => string
  readonly image: (name: string) => string
  readonly tool: (name: string) => string
  readonly changed: (name: string) => string
}
