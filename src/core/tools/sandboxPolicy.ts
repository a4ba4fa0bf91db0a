// `SandboxPolicy`: what a command in the sandbox may read and change; which output means that it was kept from something.
import { exclusionOf, matchesGlob, secretFileGlobs } from '../workspace/exclude.ts'
import { isProtected } from '../workspace/protectedPaths.ts'

/**
 * All paths are on the disk, without links. Read may be the folders of the system, `readable`, `writable` and `temporary`
 * without what is hidden; written are the last two, without what is guarded but with what is `reopened` in it.
 */
export interface SandboxPolicy {
  readonly temporary: string
  readonly home: string
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  readonly guarded: readonly string[]
  readonly reopened: readonly string[]
  readonly hiddenFolders: readonly string[]
  readonly hiddenFiles: readonly string[]
}

/** What the user has set for the files of a folder, as globs. */
export interface GuardGlobs {
  /** Not changed without a question. */
  readonly protected: readonly string[]
  /** Not sent. */
  readonly excluded: readonly string[]
}

export const noGlobs: GuardGlobs = { protected: [], excluded: [] }

/** Where Linux has programs and what they need. Everything else is somebody's own. */
export const systemFolders: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/gnu', '/snap', '/sys'],
  ...['/var/lib', '/var/cache', '/home/linuxbrew'],
]

/** Where macOS has what is somebody's own. */
const ownFolders: readonly string[] = ['/Users', '/Volumes', '/private/var/root']

/** Where keys, passwords and sessions are kept, relative to the home folder. */
export const secretHomePaths: readonly string[] = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.netrc', '_netrc', '.pgpass', '.git-credentials'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.my.cnf', '.vault-token', '.terraform.d', '.password-store'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.m2/settings.xml', '.gradle/gradle.properties'],
  ...['.config/gh', '.config/glab-cli', '.config/hub', '.config/gcloud', '.config/git/credentials', '.config/rclone'],
  ...['.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.mozilla'],
  ...['.local/share/keyrings', '.local/share/kwalletd', '.bash_history', '.zsh_history', '.python_history'],
  ...['.node_repl_history', '.psql_history', '.mysql_history', '.claude', '.codex', '.gemini'],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Safari', 'Library/Mail', 'Library/Messages'],
  ...['Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox'],
]

/** Where programs and what they have downloaded are kept, relative to the home folder. */
export const toolHomePaths: readonly string[] = [
  ...['.nvm', '.volta', '.fnm', '.local/share/fnm', '.n', '.nodenv', '.asdf', '.local/share/mise', '.proto'],
  ...['.npm/_cacache', '.yarn', '.cache/yarn', '.local/share/pnpm', '.cache/pnpm', '.bun', '.deno', '.cache/deno'],
  ...['.cache/node', '.cache/ms-playwright', '.cache/Cypress', '.cache/puppeteer', '.electron', '.cache/electron'],
  ...['.pyenv', '.local/bin', '.local/lib', '.local/share/uv', '.cache/uv', '.cache/pip', '.cache/pypoetry'],
  ...['.local/share/pipx', '.local/pipx', '.local/share/virtualenvs', '.virtualenvs', '.rye'],
  ...['.rustup', '.cargo/bin', '.cargo/registry', '.cargo/git', '.cargo/env', '.cache/sccache'],
  ...['.rbenv', '.rvm', '.gem', '.sdkman', '.jenv', '.jdks', '.java', '.m2/repository', '.m2/wrapper'],
  ...['.gradle/wrapper', '.gradle/caches', '.gradle/jdks', '.ivy2', '.sbt', '.coursier', '.cache/coursier', '.konan'],
  ...['go/bin', 'go/pkg', '.cache/go-build', '.nuget/packages', '.dotnet', '.pub-cache', '.ghcup', '.cabal/bin'],
  ...['.cabal/packages', '.cabal/store', '.stack', '.opam', '.elan', '.juliaup', '.julia', '.mix', '.hex', '.kerl'],
  ...[
    '.composer/vendor',
    '.config/composer/vendor',
    '.swiftly',
    '.platformio/packages',
    '.cache/bazel',
    '.nix-profile',
  ],
  ...['.local/state/nix', '.config/git/ignore', 'Library/Python', 'Library/pnpm', 'Library/Android/sdk'],
  ...['Library/Caches/ms-playwright', 'Library/Caches/Yarn', 'Library/Caches/pip', 'Library/Caches/go-build'],
  ...['Library/Caches/pypoetry', 'Library/Caches/Cypress', 'Library/Caches/Coursier', 'Android/Sdk'],
]

/** Folders of a workspace that must not come into being: the editor acts on what is in them at once. */
export const guardedRootFolders: readonly string[] = ['.git', '.vscode']

/** What programs write in the guarded folders of packages while they run. */
export const reopenedFolders: readonly string[] = ['.cache', '.vite', '.vite-temp', '.vitest']

/** Folders that are made of others, in which a build writes files of any name. */
const made = /^(?:dist|build|out|target|coverage|\.next|\.nuxt|\.turbo|\.cache|__pycache__)$/

export const isMade = (name: string): boolean => made.test(name)

/** What a compiler makes of a source with any name. */
const compiled = /\.(?:[cm]?jsx?|d\.[cm]?ts|map|css|html?|class|o|obj|a|so|dylib|dll|exe|wasm|pyc|rlib|rmeta|d)$/i

/** Of a folder that others are made into. */
function guardInMade(path: string, globs: GuardGlobs, kind: EntryKind): 'guarded' | 'hidden' | undefined {
  const name = path.split('/').at(-1) ?? ''
  if (!compiled.test(name) && isSecret(path, globs, kind)) return 'hidden'
  return isOwn(path, globs) || guardedRootFolders.includes(name) ? 'guarded' : undefined
}

export interface EntryKind {
  /** In a folder that others are made into. */
  readonly isInMade?: boolean
  /** It is a folder, of which the name alone does not mean that everything in it is secret. */
  readonly isFolder?: boolean
}

/** `path`: relative to its folder of the workspace, with `/`. */
export function guardOf(path: string, globs = noGlobs, kind: EntryKind = {}): 'guarded' | 'hidden' | undefined {
  // What is not to be read is not to be written either. A folder with a secret file could be given another name.
  if (hidesFolder(globs.excluded, path)) return 'hidden'
  if (kind.isInMade) return guardInMade(path, globs, kind)
  if (isSecret(path, globs, kind)) return 'hidden'
  return mayRun(path, globs) ? 'guarded' : undefined
}

/** By its path alone. */
function isSecret(path: string, globs: GuardGlobs, { isFolder }: EntryKind): boolean {
  if (/(?:^|\/)\.docker$/i.test(path)) return true
  if (isFolder) return hidesFolder(secretFileGlobs, path)
  return exclusionOf({ path, text: '' }, globs.excluded) !== undefined
}

/** Everything in the folder is excluded, and nothing of it is let in again, such as code. */
function hidesFolder(globs: readonly string[], path: string): boolean {
  const deciding = globs.findLast(glob =>
    glob.startsWith('!') ? matchesGlob(glob.slice(1), `${path}/-.ts`) : coversFolder(glob, path),
  )
  return deciding !== undefined && !deciding.startsWith('!')
}

/** Whether more than its content is at stake: something runs by it. */
export function mayRun(path: string, globs = noGlobs): boolean {
  return isOwn(path, globs) || isProtected(path) || path.split('/').includes('.git')
}

const isOwn = (path: string, globs: GuardGlobs) =>
  globs.protected.some(glob => matchesGlob(glob, path) || coversFolder(glob, path))

/** Everything in the folder matches. */
const coversFolder = (glob: string, path: string) => glob.endsWith('/**') && matchesGlob(glob.slice(0, -3), path)

/** A repository of git with any name, or an environment of Python: the editor starts programs for both. */
export function isGuardedByContents(names: ReadonlySet<string>): boolean {
  return isRepository(names) || names.has('pyvenv.cfg')
}

/** With what a repository consists of, or with the name of the folder that has the rest of it. */
export function isRepository(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'))
}

/** Protected files that a build makes where there were none; the others are taken away again. */
const mayAppear = /(?:^|\/)(?:package\.json|[^/]*lock[^/]*|npm-shrinkwrap\.json|go\.sum)$/i

export function mayComeIntoBeing(path: string): boolean {
  return mayAppear.test(path)
}

/** What holds code or a picture holds no private key that is in use. */
const withoutKey =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|java|kt|kts|scala|go|rs|c|cc|cpp|h|hpp|cs|fs|swift|dart|lua|r|jl|ex|exs|erl|hs|ml|css|scss|less|html?|md|mdx|sql|map|png|jpe?g|gif|webp|ico|svg|pdf|woff2?|ttf|otf|eot|mp[34]|mov|zip|gz|tgz|jar|wasm|so|dylib|dll|exe|o|a|class|pyc)$/i

/** Whether it depends on the content of a file of this name if it is secret. */
export const mayHoldKey = (name: string): boolean => !withoutKey.test(name)

/** What programs report where the sandbox keeps them from a file, from another process or from the network. */
const kept =
  /read-only file ?system|EROFS|permission denied|EACCES|operation not permitted|EPERM|resource busy|EBUSY|network is unreachable|ENETUNREACH|name resolution|EAI_AGAIN|ENOTFOUND|could not resolve|couldn't resolve|getaddrinfo|connection refused|ECONNREFUSED|no route to host|unable to (?:access|connect)|failed to connect|sandbox/i

export function isKeptFrom(output: string): boolean {
  return kept.test(output)
}

/** Of one output, so many are looked at. */
const MOST_PATHS = 20

/** The paths in a text that may lead out of the workspace, which a program has not found. */
export function outerPathsIn(output: string): readonly string[] {
  const found = [...output.matchAll(/(?<![\w.~/-])(?:~|\.\.)?\/[^\s'"`:;,()<>|&]+/g)].map(([path]) => path)
  return [...new Set(found)].slice(0, MOST_PATHS)
}

/** The arguments of `bwrap` (bubblewrap 0.4 and later) before the program that runs inside. */
export function bubblewrapArguments(policy: SandboxPolicy, folder: string, ownRun: readonly string[] = []): string[] {
  const { temporary, home, readable, writable, guarded, reopened, hiddenFolders, hiddenFiles } = policy
  const isInside = (path: string) => writable.some(root => path.startsWith(`${root}/`))
  const shown = [...systemFolders, ...readable, ...writable]
  const isShown = (path: string) => shown.some(root => `${path}/`.startsWith(`${root}/`))
  const hide = (paths: readonly string[], isFolder: boolean) =>
    paths.filter(isShown).flatMap(path => (isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]))
  const outer = (paths: readonly string[]) => paths.filter(path => !isInside(path))
  return [
    // Its own processes, network and host name; the end of the window ends it.
    ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
    ...systemFolders.flatMap(path => ['--ro-bind-try', path, path]),
    // The sockets of services are in `/run`: a service would do what the sandbox does not allow.
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run', ...ownRun.flatMap(path => ['--ro-bind', path, path])],
    ...['--tmpfs', '/var/tmp', '--bind', temporary, '/tmp', '--dir', home],
    ...readable.flatMap(path => ['--ro-bind-try', path, path]),
    ...hide(outer(hiddenFolders), true),
    ...hide(outer(hiddenFiles), false),
    ...writable.flatMap(path => ['--bind', path, path]),
    ...guarded.flatMap(path => ['--ro-bind', path, path]),
    ...reopened.flatMap(path => ['--bind', path, path]),
    ...hide(hiddenFolders.filter(isInside), true),
    ...hide(hiddenFiles.filter(isInside), false),
    // What is between all these folders is in memory, and a file that is written there would be lost.
    ...['--remount-ro', '/'],
    ...variable('TMPDIR', '/tmp'),
    ...variable('XDG_CACHE_HOME', '/tmp/.cache'),
    ...variable('npm_config_cache', '/tmp/.npm'),
    ...['--unsetenv', 'SSH_AUTH_SOCK', '--unsetenv', 'DBUS_SESSION_BUS_ADDRESS', '--unsetenv', 'XDG_RUNTIME_DIR'],
    ...['--chdir', folder, '--'],
  ]
}

const variable = (name: string, value: string) => ['--setenv', name, value]

const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
const subpaths = (paths: readonly string[]) => paths.map(path => `(subpath ${quoted(path)})`).join(' ')
const rule = (what: string, paths: readonly string[]) => (paths.length > 0 ? `(${what} ${subpaths(paths)})` : '')

/** The profile of macOS' `sandbox-exec`, in its own language: nothing is allowed but what is named, and the last rule counts. */
export function seatbeltProfile(policy: SandboxPolicy): string {
  const { temporary, home, readable, writable, guarded, reopened, hiddenFolders, hiddenFiles } = policy
  const hidden = [...hiddenFolders, ...hiddenFiles]
  const names = guardedRootFolders.map(name => name.replace('.', '\\.')).join('|')
  const lines = [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger")',
    '  (global-name "com.apple.system.notification_center") (global-name "com.apple.bsd.dirhelper"))',
    '(allow file-read*)',
    // Whether there is a file may be seen, because a path is resolved by that.
    rule('deny file-read-data', [...ownFolders, home]),
    rule('allow file-read-data', [...readable, ...writable, temporary]),
    rule('allow file-write*', [temporary, ...writable]),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper") (regex #"^/dev/fd/"))',
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/dtracehelper"))',
    rule('deny file-write*', guarded),
    rule('allow file-write*', reopened),
    `(deny file-write* (regex #"/(${names})(/|$)"))`,
    rule('deny file-read* file-write*', hidden),
  ]
  return lines.filter(line => line !== '').join('\n')
}
