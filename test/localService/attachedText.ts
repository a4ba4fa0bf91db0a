// `attachedTexts`: what a client has attached to a question, in the form that Kourier sends it.

export interface AttachedText {
  /** Such as `file` or `git-change`. */
  readonly source: string
  readonly name: string
  /** The word after the fence. */
  readonly language: string
  readonly text: string
}

const attached = /^Attached ([a-z-]+) (.+?)(?:, lines \d+ to \d+)?:\n(`{3,})([^\n`]*)\n([\s\S]*?)\n?\3[ \t]*$/gm

/** The attachments of a text, and the text without them. */
export function attachedTexts(text: string): { readonly rest: string; readonly attachments: AttachedText[] } {
  const attachments = [...text.matchAll(attached)].map(([, source = '', name = '', , language = '', content = '']) => ({
    source,
    name,
    language,
    text: content,
  }))
  return { rest: text.replace(attached, '').trim(), attachments }
}
