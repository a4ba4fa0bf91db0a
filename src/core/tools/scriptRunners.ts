// `scriptFilesOf`: the files whose text decides what a command runs, such as `package.json` for `npm test`.
import { commandWords } from './commandWords.ts'

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
  cmake: ['CMakeLists.txt', 'CMakePresets.json', 'Makefile', 'build.ninja'],
  ninja: ['build.ninja'],
  meson: ['meson.build', 'build.ninja'],
  bazel: ['BUILD', 'BUILD.bazel', 'MODULE.bazel', 'WORKSPACE'],
  docker: ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'Dockerfile'],
  'docker-compose': ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
  'pre-commit': ['.pre-commit-config.yaml'],
  jest: ['package.json', 'jest.config.js', 'jest.config.ts', 'jest.config.mjs', 'jest.config.cjs', 'jest.config.json'],
  vitest: ['vitest.config.ts', 'vitest.config.js', 'vitest.config.mts', 'vitest.config.mjs', 'vite.config.ts'],
  mocha: ['package.json', '.mocharc.js', '.mocharc.cjs', '.mocharc.json', '.mocharc.yml', '.mocharc.yaml'],
  phpunit: ['phpunit.xml', 'phpunit.xml.dist'],
  mix: ['mix.exs'],
  swift: ['Package.swift'],
  bundle: ['Gemfile', 'Rakefile'],
  vagrant: ['Vagrantfile'],
  direnv: ['.envrc'],
  'nix-shell': ['shell.nix', 'default.nix'],
}

/** `path`: on the disk, without links. */
export interface ScriptFile {
  readonly path: string
  readonly text: string
}

export interface ScriptNames {
  /** As the command has them, or as their runner looks for them; each may be missing. `*` and `?` as in a shell. */
  readonly names: readonly string[]
  /** A program that runs files gets names that are known only once it runs. */
  readonly isOpen: boolean
}

/** Programs that run what a word names, whatever its name. */
const interpreter =
  /^(?:\.|source|(?:ba|z|da|k|fi|tc|c)?sh|pwsh|powershell|python[\d.]*|pypy\d?|node|tsx|ts-node|bun|deno|npx|ruby|perl|php|lua|tclsh|Rscript|julia|[gmn]?awk|g?sed|g?make)$/
/** What they add to a name where there is no such file. */
const endings: readonly (readonly [program: RegExp, endings: readonly string[]])[] = [
  [
    /^(?:node|tsx|ts-node|bun|deno|npx)$/,
    [
      ...['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json'],
      ...['/index.js', '/index.mjs', '/index.cjs', '/index.ts', '/index.tsx', '/package.json'],
    ],
  ],
  [/^(?:python[\d.]*|pypy\d?)$/, ['.py', '/__main__.py', '/__init__.py']],
]
/** After these comes a folder in which the rest runs. */
const entering = /^(?:cd|pushd|-C|-w|--workspace|--prefix|--dir|--cwd|--directory|--chdir|--project|--build)$/

const separators = /[\s;&|()<>`$={}]+/
/** Of a command; one with more is no command that a person reads. */
const MOST_WORDS = 200
const MOST_NAMES = 1_000

/** Every word may name a file, because a program may run what any of its arguments names. */
export function scriptFilesOf(command: string): ScriptNames {
  const read = commandWords(command)
  const texts = [
    read.words,
    // What a shell makes of quotes in the middle of a word, and the words in quotes; on Windows with their backslashes.
    command.replaceAll(/["'\\]/g, '').split(separators),
    command.replaceAll(/["']/g, ' ').split(separators),
  ].map(words => words.filter(word => word !== ''))
  const names = [...new Set(texts.flatMap(words => namesIn(words.slice(0, MOST_WORDS))))]
  const runsFiles = texts.some(words => words.some(word => interpreter.test(programOf(word))))
  const isLong = names.length > MOST_NAMES || texts.some(words => words.length > MOST_WORDS)
  return { names: names.slice(0, MOST_NAMES), isOpen: isLong || (runsFiles && read.isOpen) }
}

function namesIn(words: readonly string[]): readonly string[] {
  const programs = words.map(programOf)
  const named = words.flatMap(word => [...namesOf(word), ...modulesOf(word, programs)])
  const added = endings.filter(([program]) => programs.some(one => program.test(one))).flatMap(([, list]) => list)
  const files = [
    ...named,
    ...programs.flatMap(name => (Object.hasOwn(runners, name) ? (runners[name] ?? []) : [])),
    ...named.flatMap(name => added.map(ending => name + ending)),
  ]
  return [...files, ...foldersEntered(words).flatMap(folder => files.map(file => `${folder}/${file}`))]
}

/** The word, or what a flag has behind its letter. */
function namesOf(word: string): readonly string[] {
  if (!word.startsWith('-')) return [word]
  const value = /^-[A-Za-z](.+)$/.exec(word)?.[1]
  return value === undefined || word.startsWith('--') ? [] : [value]
}

/** A module of Python is a file in the folder of its package. */
function modulesOf(word: string, programs: readonly string[]): readonly string[] {
  if (!programs.some(program => /^(?:python|pypy)/.test(program))) return []
  return namesOf(word).flatMap(name => (/^[\w.]+\.[\w.]+$/.test(name) ? [name.replaceAll('.', '/')] : []))
}

/** Whether git would run, which runs what the configuration of a repository names. */
export function namesGit(command: string): boolean {
  const words = command.replaceAll(/["'\\]/g, '').split(separators)
  return words.some(word => /^git(?:-|\.exe$|$)/i.test(nameOf(word)))
}

const programOf = (word: string) => nameOf(word).replace(/\.(?:exe|cmd|bat)$/i, '')
const nameOf = (word: string) => word.split(/[\\/]/).at(-1) ?? ''

/** Each by itself, and one after the other. */
function foldersEntered(words: readonly string[]): readonly string[] {
  const entered = words.flatMap((word, at) => {
    const attached = /^-[Cw](.+)$/.exec(word)?.[1]
    return [...(attached === undefined ? [] : [attached]), ...(entering.test(words[at - 1] ?? '') ? [word] : [])]
  })
  return [...new Set([...entered, ...entered.map((_, at) => entered.slice(0, at + 1).join('/'))])]
}
