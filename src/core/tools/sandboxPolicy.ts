// `SandboxPolicy`: what a command in the sandbox may not read and not change; which output means that it was kept from something.
import { exclusionOf } from '../workspace/exclude.ts'
import { isProtected } from '../workspace/protectedPaths.ts'

/**
 * All paths are on the disk, without links. Everything may be read but what is hidden; written are `writable` and
 * `temporary`, without what is guarded.
 */
export interface SandboxPolicy {
  readonly temporary: string
  readonly writable: readonly string[]
  readonly guarded: readonly string[]
  readonly hiddenFolders: readonly string[]
  readonly hiddenFiles: readonly string[]
}

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

/** Folders of a workspace that must not come into being: the editor acts on what is in them at once. */
export const guardedRootFolders: readonly string[] = ['.git', '.vscode']

/** Folders that are made of others, in which a build writes files of any name. */
const made = /^(?:node_modules|\.venv|venv|dist|build|out|target|coverage|\.next|\.nuxt|\.turbo|\.cache|__pycache__)$/

/** Whether there is nothing to guard in a folder of this name, so that it is not looked at. */
export const isUnguarded = (name: string): boolean => made.test(name)

/** `path`: relative to its folder of the workspace, with `/`. */
export function guardOf(path: string): 'guarded' | 'hidden' | undefined {
  // What is not to be read is not to be written either. A folder with a secret file could be given another name.
  if (exclusionOf({ path, text: '' }, [])?.reason === 'secret' || /(?:^|\/)\.docker$/i.test(path)) return 'hidden'
  return isProtected(path) || path.split('/').includes('.git') ? 'guarded' : undefined
}

/** Protected files that a build makes where there were none; the others are taken away again. */
const mayAppear = /(?:^|\/)(?:package\.json|[^/]*lock[^/]*|npm-shrinkwrap\.json|go\.sum)$/i

export function mayComeIntoBeing(path: string): boolean {
  return mayAppear.test(path)
}

/** What programs report where the sandbox keeps them from a file, from another process or from the network. */
const kept =
  /read-only file ?system|EROFS|permission denied|EACCES|operation not permitted|EPERM|network is unreachable|ENETUNREACH|name resolution|EAI_AGAIN|ENOTFOUND|could not resolve|couldn't resolve|getaddrinfo|connection refused|ECONNREFUSED|no route to host|unable to (?:access|connect)|failed to connect|sandbox/i

export function isKeptFrom(output: string): boolean {
  return kept.test(output)
}

/** The arguments of `bwrap` (bubblewrap 0.4 and later) before the program that runs inside. */
export function bubblewrapArguments(policy: SandboxPolicy, folder: string, ownRun: readonly string[] = []): string[] {
  const { temporary, writable, guarded, hiddenFolders, hiddenFiles } = policy
  const isInside = (path: string) => writable.some(root => path.startsWith(`${root}/`))
  const hide = (paths: readonly string[], isFolder: boolean) =>
    paths.flatMap(path => (isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]))
  return [
    // Its own processes, network and host name; the end of the window ends it.
    ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev'],
    // The sockets of services are in these: a service would do what the sandbox does not allow.
    ...['--proc', '/proc', '--tmpfs', '/run', ...ownRun.flatMap(path => ['--ro-bind', path, path])],
    ...['--tmpfs', '/var/tmp', '--bind', temporary, '/tmp'],
    ...hide(
      hiddenFolders.filter(path => !isInside(path)),
      true,
    ),
    ...hide(
      hiddenFiles.filter(path => !isInside(path)),
      false,
    ),
    ...writable.flatMap(path => ['--bind', path, path]),
    ...guarded.flatMap(path => ['--ro-bind', path, path]),
    ...hide(hiddenFolders.filter(isInside), true),
    ...hide(hiddenFiles.filter(isInside), false),
    ...[
      '--setenv',
      'TMPDIR',
      '/tmp',
      '--setenv',
      'XDG_CACHE_HOME',
      '/tmp/.cache',
      '--setenv',
      'npm_config_cache',
      '/tmp/.npm',
    ],
    ...['--unsetenv', 'SSH_AUTH_SOCK', '--unsetenv', 'DBUS_SESSION_BUS_ADDRESS', '--unsetenv', 'XDG_RUNTIME_DIR'],
    ...['--chdir', folder, '--'],
  ]
}

const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
const subpaths = (paths: readonly string[]) => paths.map(path => `(subpath ${quoted(path)})`).join(' ')

/** The profile of macOS' `sandbox-exec`, in its own language: nothing is allowed but what is named, and the last rule counts. */
export function seatbeltProfile({ temporary, writable, guarded, hiddenFolders, hiddenFiles }: SandboxPolicy): string {
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
    `(allow file-write* ${subpaths([temporary, ...writable])})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper") (regex #"^/dev/fd/"))',
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/dtracehelper"))',
    `(deny file-write* (regex #"/(${names})(/|$)"))`,
    guarded.length > 0 ? `(deny file-write* ${subpaths(guarded)})` : '',
    hidden.length > 0 ? `(deny file-read* file-write* ${subpaths(hidden)})` : '',
  ]
  return lines.filter(line => line !== '').join('\n')
}
