// Small useful pieces of code in many languages, and which language a text is about.
const samples: Readonly<Record<string, string>> = {
  typescript: `export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}`,
  javascript: `function debounce(run, delayMs) {
  let timer
  return (...args) => {
    clearTimeout(timer)
    timer = setTimeout(() => run(...args), delayMs)
  }
}`,
  python: `def word_counts(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts`,
  go: `func Reverse(words []string) []string {
	reversed := make([]string, 0, len(words))
	for i := len(words) - 1; i >= 0; i-- {
		reversed = append(reversed, words[i])
	}
	return reversed
}`,
  rust: `fn largest(numbers: &[i64]) -> Option<i64> {
    numbers.iter().copied().max()
}`,
  sql: `SELECT customer_id, count(*) AS orders, sum(total) AS spent
FROM orders
WHERE created_at >= date('now', '-30 days')
GROUP BY customer_id
ORDER BY spent DESC
LIMIT 10;`,
  shell: `#!/bin/sh
set -eu
find . -name '*.log' -mtime +7 -print0 | xargs -0 rm -f`,
  java: `static int sum(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sum();
}`,
  kotlin: `fun initials(name: String): String =
    name.split(' ').filter { it.isNotEmpty() }.joinToString("") { it.first().uppercase() }`,
  swift: `func clamp(_ value: Int, to range: ClosedRange<Int>) -> Int {
    min(max(value, range.lowerBound), range.upperBound)
}`,
  csharp: `static bool IsPalindrome(string text)
{
    var letters = text.Where(char.IsLetter).Select(char.ToLower).ToArray();
    return letters.SequenceEqual(letters.Reverse());
}`,
  cpp: `int clamp_index(int index, int size) {
    if (index < 0) return 0;
    return index < size ? index : size - 1;
}`,
  c: `size_t count_lines(const char *text) {
    size_t lines = 0;
    for (; *text; text++) lines += *text == '\\n';
    return lines;
}`,
  ruby: `def slug(title)
  title.downcase.strip.gsub(/[^a-z0-9]+/, '-')
end`,
  php: `function total(array $items): float {
    return array_sum(array_column($items, 'price'));
}`,
  lua: `local function contains(list, wanted)
  for _, item in ipairs(list) do
    if item == wanted then return true end
  end
  return false
end`,
  scala: `def initials(names: Seq[String]): String =
  names.filter(_.nonEmpty).map(_.head.toUpper).mkString`,
  dart: `int sum(Iterable<int> numbers) =>
    numbers.fold(0, (total, number) => total + number);`,
  perl: `sub trim {
    my ($text) = @_;
    $text =~ s/^\\s+|\\s+$//g;
    return $text;
}`,
  haskell: `average :: [Double] -> Maybe Double
average [] = Nothing
average xs = Just (sum xs / fromIntegral (length xs))`,
  powershell: `Get-ChildItem -Recurse -Filter *.log |
    Where-Object LastWriteTime -lt (Get-Date).AddDays(-7) |
    Remove-Item`,
  toml: `[server]
host = "127.0.0.1"
port = 8080`,
  html: `<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" required>`,
  css: `.cards {
  display: grid;
  gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr));
}`,
  json: `{
  "name": "demo",
  "enabled": true,
  "tags": ["one", "two"]
}`,
  yaml: `services:
  web:
    image: nginx:alpine
    ports:
      - "8080:80"`,
}

const languageOfExtension: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  py: 'python',
  go: 'go',
  rs: 'rust',
  sql: 'sql',
  sh: 'shell',
  bash: 'shell',
  java: 'java',
  kt: 'kotlin',
  swift: 'swift',
  cs: 'csharp',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  c: 'c',
  h: 'c',
  rb: 'ruby',
  php: 'php',
  lua: 'lua',
  scala: 'scala',
  dart: 'dart',
  pl: 'perl',
  pm: 'perl',
  hs: 'haskell',
  ps1: 'powershell',
  toml: 'toml',
  html: 'html',
  css: 'css',
  json: 'json',
  yml: 'yaml',
  yaml: 'yaml',
}

const otherNames: Readonly<Record<string, string>> = {
  golang: 'go',
  bash: 'shell',
  'c++': 'cpp',
  'c#': 'csharp',
  js: 'javascript',
  ts: 'typescript',
}

export const demoLanguages: readonly string[] = Object.keys(samples)

export const sampleOf = (language: string): string => samples[language] ?? ''

/** The language that the question names, else that of the first attached file, else TypeScript. */
export function languageAskedFor(question: string, paths: readonly string[]): string {
  const words = question.match(/[a-z]+(?:\+\+|#)?/gi) ?? []
  const named = words.map(languageNamed).find(language => language !== undefined)
  return named ?? paths.map(languageOfPath).find(language => language !== undefined) ?? 'typescript'
}

function languageNamed(word: string, index: number, words: readonly string[]): string | undefined {
  const name = otherNames[word.toLowerCase()] ?? word.toLowerCase()
  if (!Object.hasOwn(samples, name)) return undefined
  // "Where do I go?" is not about Go, nor "C" as a heading about C.
  const isAlsoAWord = word.toLowerCase() === 'go' || word.toLowerCase() === 'c'
  const isMeant =
    words[index - 1]?.toLowerCase() === 'in' ||
    (word === 'Go' && index > 0) ||
    /^(code|function|module|program|script)$/i.test(words[index + 1] ?? '')
  return isAlsoAWord && !isMeant ? undefined : name
}

export const languageOfPath = (path: string): string | undefined =>
  languageOfExtension[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
