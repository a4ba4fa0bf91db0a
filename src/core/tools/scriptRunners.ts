// `scriptFilesOf`: the files whose text decides what a command runs, such as `package.json` for `npm test`.

/** Relative to the folder of the command, or of one above it. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json'],
  npx: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  node: ['package.json'],
  deno: ['deno.json', 'deno.jsonc', 'package.json'],
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  composer: ['composer.json'],
  cargo: ['Cargo.toml', 'build.rs'],
  gradle: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  gradlew: ['gradlew', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  mvn: ['pom.xml'],
  tox: ['tox.ini', 'pyproject.toml', 'setup.cfg'],
  nox: ['noxfile.py'],
  pytest: ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'conftest.py'],
  poetry: ['pyproject.toml'],
  hatch: ['pyproject.toml'],
  pdm: ['pyproject.toml'],
  uv: ['pyproject.toml'],
  cmake: ['CMakeLists.txt', 'CMakePresets.json'],
  ninja: ['build.ninja'],
}

/** `path`: on the disk, without links. */
export interface ScriptFile {
  readonly path: string
  readonly text: string
}

/** Programs that run what the next word names, whatever its name. */
const interpreter =
  /^(?:\.|source|(?:ba|z|da|k|fi)?sh|pwsh|powershell|python[\d.]*|node|ruby|perl|php|lua|tclsh|Rscript)$/
/** After these comes a folder in which the rest runs. */
const entering = /^(?:cd|pushd|-C|--prefix|--dir|--cwd|--directory|--chdir)$/

const separators = /[\s;&|()<>`$={}]+/
/** Of a command; one with more is no command that a person reads. */
const MOST_WORDS = 200
const MOST_NAMES = 200

/** As the command names them, or as their runner looks for them; each may be missing, and most words name none. */
export function scriptFilesOf(command: string): readonly string[] {
  // What a shell makes of quotes in the middle of a word, and the words in quotes.
  const texts = [command.replaceAll(/["'\\]/g, ''), command.replaceAll(/["']/g, ' ')]
  const names = texts.flatMap(text => {
    const words = text
      .split(separators)
      .filter(word => word !== '')
      .slice(0, MOST_WORDS)
    const files = words.flatMap((word, at) => [
      ...(isFileName(word, words[at - 1]) ? [word] : []),
      ...filesOfRunner(word),
    ])
    return [...files, ...foldersEntered(words).flatMap(folder => files.map(file => `${folder}/${file}`))]
  })
  return [...new Set(names)].slice(0, MOST_NAMES)
}

/** Whether git would run, which runs what the configuration of a repository names. */
export function namesGit(command: string): boolean {
  const words = command.replaceAll(/["'\\]/g, '').split(separators)
  return words.some(word => /^git(?:-|\.exe$|$)/i.test(nameOf(word)))
}

function isFileName(word: string, before = ''): boolean {
  if (word.startsWith('-')) return false
  return /[\w@%+-]\.\w|\//.test(word) || interpreter.test(nameOf(before))
}

function filesOfRunner(word: string): readonly string[] {
  const name = nameOf(word).replace(/\.(?:exe|cmd|bat)$/i, '')
  return Object.hasOwn(runners, name) ? (runners[name] ?? []) : []
}

const nameOf = (word: string) => word.split(/[\\/]/).at(-1) ?? ''

/** Each by itself, and one after the other. */
function foldersEntered(words: readonly string[]): readonly string[] {
  const entered = words.filter((_, at) => entering.test(words[at - 1] ?? ''))
  return [...new Set([...entered, ...entered.map((_, at) => entered.slice(0, at + 1).join('/'))])]
}
