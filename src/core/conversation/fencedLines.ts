// `fencedLines`: the lines of a Markdown text, and which of them belong to a code block; `endsInCode`.

export interface Fence {
  readonly mark: string
  readonly indent: string
}

export interface FencedLine {
  readonly line: string
  /** Of a code block, or its first or last line. */
  readonly isCode: boolean
  /** The fence that is open after the line. */
  readonly open: Fence | undefined
}

export function* fencedLines(text: string): Iterable<FencedLine> {
  let open: Fence | undefined
  for (const line of text.split(/\r\n?|\n/)) {
    const [, indent = '', mark = '', info = ''] =
      /^([\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?)(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    const wasOpen = open !== undefined
    if (open) {
      if (mark.startsWith(open.mark) && info.trim() === '') open = undefined
    } else if (mark && !(mark.startsWith('`') && info.includes('`'))) {
      open = { mark, indent: indent.replace(/[^\s>]/g, ' ') }
    }
    yield { line, isCode: wasOpen || open !== undefined, open }
  }
}

/** Whether the text breaks off within a code block. */
export function endsInCode(text: string): boolean {
  return [...fencedLines(text)].at(-1)?.open !== undefined
}
