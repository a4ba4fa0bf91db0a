// `shownCommand`: the text of a command with every character visible, for the question before it runs.

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
