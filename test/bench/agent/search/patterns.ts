// `searchPatterns`: patterns as a model writes them, of words of the generated tree.
import { randomFrom } from '../../../support/random.ts'

export interface BenchPattern {
  readonly pattern: string
  readonly isLiteral: boolean
}

export function searchPatterns(words: readonly string[], count: number): BenchPattern[] {
  const random = randomFrom(3)
  /** Not the most frequent ones, each of which is in half a million lines. */
  const rare = () => words[Math.floor(words.length * (0.25 + 0.75 * random()))] ?? ''
  const any = () => words[Math.floor(words.length * (0.02 + 0.98 * random()))] ?? ''
  const forms: readonly (() => string | BenchPattern)[] = [
    rare,
    () => ({ pattern: rare(), isLiteral: true }),
    () => ({ pattern: `${any()}(${any()}`, isLiteral: true }),
    () => ({ pattern: `.${rare()}(`, isLiteral: true }),
    () => `\\b${rare()}\\b`,
    () => `${any()}\\s*=\\s*${any()}`,
    () => `const ${any()} = ${any()}\\.`,
    () => `(${rare()}|${rare()})`,
    () => `${rare()}|${rare()}|${rare()}`,
    () => `${any().slice(0, 4)}\\w+${any().slice(-4)}\\(`,
    () => `^\\s+if \\(${any()}\\b`,
    () => `import \\{ ${any()}, \\w+ \\}`,
    () => `new ${rare()}Error\\(".*"\\)$`,
    () => `(?i)${rare()}`,
    () => `(?i)\\b${any()}\\.${any()}`,
    () => `function ${any()}\\([^)]*${any()}`,
    () => `${any()}, \\[\\d{5}\\]\\)$`,
    () => `[A-Z][a-z]+${any().slice(0, 5)}[._]x`,
    () => `= ${Math.floor(random() * 5_000)}\\) \\{$`,
    () => `// ${any()} (größe|検索)`,
    () => `überprüfen ${any()}`,
    () => `\\W${rare()}\\W`,
    () => `${any()}\\D+${rare()}`,
    () => `(?:${any()}\\.){1,2}${any()}`,
    () => `"${any()} ${any()}"\\)`,
  ]
  return Array.from({ length: count }, (_, at) => {
    const made = forms[at % forms.length]?.() ?? ''
    return typeof made === 'string' ? { pattern: made, isLiteral: false } : made
  })
}
