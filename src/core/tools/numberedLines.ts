// `numberedLines`: lines of a file with their numbers, as the model is shown them; and a text without such numbers.

const LINE_CHARS = 2_000

/** `first`: the number of the first line. A long line is cut, with a mark that names how much is missing. */
export function numberedLines(lines: readonly string[], first: number): string {
  return lines.map((line, at) => `${first + at}\t${cutLine(line)}`).join('\n')
}

export function cutLine(line: string): string {
  const text = line.replace(/\n$/, '')
  if (text.length <= LINE_CHARS) return text
  return `${text.slice(0, LINE_CHARS)}… (${text.length - LINE_CHARS} more characters in this line)`
}

/**
 * The text without the numbers that it was shown with; undefined where not each of its lines has one, or they do not
 * count up.
 */
export function withoutNumbers(text: string): string | undefined {
  const lines = text.split('\n')
  const isEnded = lines.length > 1 && lines.at(-1) === ''
  if (isEnded) lines.pop()
  const bare: string[] = []
  let last: number | undefined
  for (const line of lines) {
    const found = /^ *(\d+)\t(.*)$/s.exec(line)
    const number = Number(found?.[1])
    if (!found || (last !== undefined && number !== last + 1)) return undefined
    last = number
    bare.push(found[2] ?? '')
  }
  return bare.join('\n') + (isEnded ? '\n' : '')
}
