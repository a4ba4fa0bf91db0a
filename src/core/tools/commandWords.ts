// `commandWords`: the words of a command as a shell divides it, near enough to find the files that it names.

export interface CommandWords {
  /** Without their quotes; those of a quoted text that is several words are behind it. */
  readonly words: readonly string[]
  /** Some of the words are known only once the command runs. */
  readonly isOpen: boolean
}

/** What a shell works out, and programs that take the names of others from what they read. */
const workedOut = /\$['"(]|`|(?:^|[\s;&|(=:])~|\b(?:xargs|eval|parallel)\b|\s-exec(?:dir)?\b/

export function commandWords(command: string): CommandWords {
  const words = dividedAt(command).flatMap(word => alternativesOf(word))
  const inner = words.filter(word => /[\s;&|]/.test(word)).map(word => commandWords(word))
  return {
    words: [...words, ...inner.flatMap(one => one.words)],
    isOpen: workedOut.test(command) || inner.some(({ isOpen }) => isOpen),
  }
}

/** At blanks and signs that are in no quotes; a backslash takes the character behind it as it is. */
function dividedAt(command: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < command.length; at++) {
    const character = command[at] ?? ''
    if (character === '\\' && quote !== "'") word = (word ?? '') + (command[++at] ?? '')
    else if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (quote === '' && /[\s;&|()<>`=]/.test(character)) {
      if (word) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  return word ? [...words, word] : words
}

const MOST_ALTERNATIVES = 50

/** Those of the first braces, such as `{a,b}.sh`. */
function alternativesOf(word: string): readonly string[] {
  const [, start = '', list, end = ''] = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(word) ?? []
  if (list === undefined) return [word]
  return list
    .split(',')
    .slice(0, MOST_ALTERNATIVES)
    .flatMap(one => alternativesOf(`${start}${one}${end}`))
}
