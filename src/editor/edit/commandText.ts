// The code of a block as a command: `commandOf`, `shownCommand` for the question before it runs, `typedInto` a shell.

const MOST_LINES = 25
const MOST_CHARS = 2_000

/** Undefined where the text is too long to be read in a question. A tab, and all but single spaces, have marks. */
export function shownCommand(command: string): string | undefined {
  if (command.length > MOST_CHARS || command.split('\n').length > MOST_LINES) return undefined
  return command.replaceAll('\t', '⇥').replace(/^ +| +$| {2,}/gm, spaces => '·'.repeat(spaces.length))
}

/** Characters that a terminal would not show or would act on; not the tab and the line end. */
export function hasHiddenCharacters(command: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them alone
  return /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|⟦/u.test(
    command,
  )
}

const prompt =
  /^[ \t]*(?:(?:\[[^\]\n]*\]|[\w.-]+@[^\s$%#]+|[~/][^\s$%]*)?[$%]|[\w.-]+@[^\s$%#]+#|PS [^>\n]*>|[A-Za-z]:\\[^>\n]*>)[ \t]+/

/** Where the code shows a session, with prompts and output, the commands of it. */
export function commandOf(code: string): string {
  const text = code.replace(/\r\n?/g, '\n').trimEnd()
  const lines = text.split('\n')
  if (!prompt.test(lines.find(line => line.trim() !== '') ?? '')) return text
  const commands: string[] = []
  let isGoingOn = false
  for (const line of lines) {
    const isPrompt = prompt.test(line)
    if (!isPrompt && !isGoingOn) continue
    const command = isPrompt ? line.replace(prompt, '') : line.replace(/^> ?/, '')
    commands.push(command)
    isGoingOn = /[\\`^]$/.test(command)
  }
  return commands.join('\n').trimEnd()
}

/** What makes one command of several lines in a shell that does not know pastes. */
const blocks: Readonly<Record<string, readonly [string, string]>> = {
  sh: ['{', '}'],
  ksh: ['{', '}'],
  pwsh: ['. {', '}'],
  cmd: ['(', ')'],
}

/**
 * As it is written to a terminal, so that the shell reads all lines before it runs the first one. `shell`: as the editor
 * names it; undefined for one that it does not know, such as that of a small container.
 */
export function typedInto(shell: string | undefined, command: string): string {
  if (!command.includes('\n')) return command
  const block = blocks[shell ?? 'sh']
  if (!block) return `\u001b[200~${command}\u001b[201~`
  // A tab would ask the shell for a completion.
  const indented = command.replace(/^\t+/gm, tabs => '    '.repeat(tabs.length))
  return `${block[0]}\n${indented}\n${block[1]}`
}
