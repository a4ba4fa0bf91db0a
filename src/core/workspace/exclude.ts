// `exclusionOf`: which files are never completed nor sent to the model: those that look secret and those the user named.

/**
 * Files that look as if they contained a secret. A glob without a slash matches the file's name in any folder; one that
 * begins with `!` includes again what an earlier one excluded.
 */
export const secretFileGlobs: readonly string[] = [
  // First, because what holds code is let in again only of these folders.
  '**/{secret,secrets,.secret,.secrets,*-secrets,*_secrets,credentials,.credentials}/**',
  '!*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,astro,py,pyi,rb,php,java,kt,kts,scala,groovy,go,rs,c,cc,cpp,h,hpp,m,mm,cs,fs,vb,swift,dart,lua,r,jl,ex,exs,erl,hs,ml,clj,cljs,css,scss,less,html,md,mdx,rst,adoc,proto,graphql,png,jpg,svg}',
  '*.env',
  '.env*',
  '!.env.{example,sample,template}',
  '!{,*.}{example,sample,template}.env',
  '*.{pem,key,p8,p12,pfx,jks,keystore,kdbx,ppk,ovpn}',
  'id_{rsa,dsa,ecdsa,ed25519}*',
  '**/{.ssh,.gnupg,.aws,.azure,.kube}/**',
  '**/{.docker/config,.composer/auth}.json',
  '**/.m2/settings*.xml',
  '**/.config/{gh/hosts.yml,glab-cli/config.yml,hub,git/credentials,rclone/rclone.conf}',
  '{.netrc,_netrc,.pgpass,.git-credentials,.pypirc,.my.cnf,.vault-token,.vault_pass,.htpasswd}',
  '{.dockercfg,.terraformrc,.s3cfg,.boto,kubeconfig}',
  '.{bash,zsh,python,psql,mysql,node_repl}_history',
  'credentials*',
  '*secret*',
  '*.tfstate',
  '*.tfstate.backup',
  '*.tfvars{,.json}',
  '!{,*.}{example,sample,template}.tfvars{,.json}',
  'service{-,_}account*.json',
]

export interface FileToCheck {
  /** Relative to its workspace folder where there is one. */
  readonly path: string
  /** Path on the disk, because a folder that is itself secret may have been opened as the workspace. */
  readonly fullPath?: string
  /** Path of the file that is read, where links lead to another one. */
  readonly targetPath?: string
  readonly text: string
}

/** Why a file is excluded: a glob of the user's, one of `secretFileGlobs`, or the file's content. */
export type Exclusion =
  | { readonly reason: 'excluded' | 'secret'; readonly glob: string }
  | { readonly reason: 'secret'; readonly content: 'private key' | 'token' }

/** `secretFileGlobs` always apply; a `!` glob of the user's overrides them, but never the check of the content. */
export function exclusionOf(
  { path, fullPath = path, targetPath = fullPath, text }: FileToCheck,
  globs: readonly string[],
): Exclusion | undefined {
  const own = new MatchedPath(path)
  const full = fullPath === path ? own : new MatchedPath(fullPath)
  const target = targetPath === fullPath ? full : new MatchedPath(targetPath)
  const paths = new Set([path, fullPath, targetPath])
  const originals = [...paths].flatMap(originalsOf).map(one => new MatchedPath(one))
  // Each path by itself, because a link with a harmless name may lead to a secret file.
  const each = [...new Set([own, full, target]), ...originals]
  const secret = each.map(one => decidingGlob(secretFileGlobs, () => one)).find(excludes)
  const deciding = decidingGlob(globs, glob => (glob.startsWith('/') ? full : own))
  // What is built in has counted for each path already.
  const isBuiltIn = deciding !== undefined && !excludes(deciding) && secretFileGlobs.includes(deciding)
  const userGlob = isBuiltIn ? undefined : deciding
  const content = [path, fullPath, targetPath].map(one => secretContentOf(one, text)).find(found => found !== undefined)
  if (content) return { reason: 'secret', content }
  if (secret !== undefined && (userGlob === undefined || excludes(userGlob))) return { reason: 'secret', glob: secret }
  return excludes(userGlob) ? { reason: 'excluded', glob: userGlob } : undefined
}

/** What an editor or a person adds to the name of a file for its backup, or for what is being written of it. */
const copyMark = /(?:~|\.(?:sw[a-p]|bak|backup|old|orig|save|tmp|temp|copy|prev|~?\d+))+$/i

/** The paths of which this one may be a copy, such as `.env` of `..env.swp`; mostly none. */
function originalsOf(path: string): readonly string[] {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  const name = path.slice(cut)
  const original = name.replace(/^\.?#(.+?)#?$/, '$1').replace(copyMark, '')
  if (original === name || original === '') return []
  return [original, original.replace(/^\./, '')].map(one => path.slice(0, cut) + one)
}

/** The last glob that matches decides. */
function decidingGlob(globs: readonly string[], pathFor: (glob: string) => MatchedPath): string | undefined {
  return globsOf(globs).findLast(({ plain, alternatives }) => pathFor(plain).matches(alternatives))?.text
}

interface Glob {
  readonly text: string
  /** Without the `!`. */
  readonly plain: string
  readonly alternatives: readonly Alternative[]
}

const compiled = new WeakMap<readonly string[], readonly Glob[]>()

/** Made once for each list, because thousands of files are compared with the same one. */
function globsOf(list: readonly string[]): readonly Glob[] {
  const known = compiled.get(list)
  if (known) return known
  const globs = list.map(text => {
    const plain = text.replace(/^!/, '')
    return { text, plain, alternatives: alternativesOf(plain) }
  })
  compiled.set(list, globs)
  return globs
}

const excludes = (glob: string | undefined): glob is string => glob !== undefined && !glob.startsWith('!')

const HEAD_CHARS = 4_096

/** Anywhere in the text. */
const hasPrivateKey = (text: string) => /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text)

/** A private key or a token, anywhere in the text, which may be a patch of the file. */
export function hasSecret(path: string, text: string): boolean {
  return hasPrivateKey(text) || secretContentOf(path, text) !== undefined
}

/** Whether the beginning of the file's text looks like a secret, whatever its name. */
export function hasSecretHead(path: string, text: string): boolean {
  return secretContentOf(path, text) !== undefined
}

/** Files that mostly hold no secret, with what holds one in them. */
const tokenFiles: readonly { readonly name: RegExp; readonly token: RegExp }[] = [
  { name: /(?:^|[\\/])\.npmrc$/i, token: /_(?:authToken|auth|password)\s*=/ },
  // A variable in place of the token is none.
  {
    name: /(?:^|[\\/])\.yarnrc(?:\.ya?ml)?$/i,
    token:
      /(?:npmAuth(?:Token|Ident)|_authToken|_password)["']?(?:\s*[:=]\s*|\s+)["']?(?!\$\{\w+(?::?-)?\}["']?\s*$)[^\s"']/im,
  },
  {
    name: /(?:^|[\\/])\.git[\\/](?:.*[\\/])?config(?:\.worktree)?$/i,
    token: /:\/\/[^/\s:@]*:[^/\s@]+@|\bextraheader\s*=/i,
  },
]

/** Whether it depends on the content of the file if it is secret. */
export const mayHaveToken = (path: string): boolean =>
  [path, ...originalsOf(path)].some(one => tokenFiles.some(({ name }) => name.test(one)))

function secretContentOf(path: string, text: string): 'private key' | 'token' | undefined {
  if (hasPrivateKey(text.slice(0, HEAD_CHARS))) return 'private key'
  const paths = [path, ...originalsOf(path)]
  const isOf = ({ name, token }: (typeof tokenFiles)[number]) => paths.some(one => name.test(one)) && token.test(text)
  return tokenFiles.some(isOf) ? 'token' : undefined
}

/** `**` any folders, `*` anything within a name, `?` one character, `{a,b}` either. Letter case is ignored. */
export function matchesGlob(glob: string, path: string): boolean {
  return new MatchedPath(path).matches(alternativesOf(glob))
}

/** Whether `exclusionOf` excludes files by their paths alone; made once for the many files of a folder. */
export function excludedNames(globs: readonly string[], folder: string, fullFolder: string): (name: string) => boolean {
  const { ofName, ofFolder } = filterOf(globs)
  const within = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const isExcluded = (name: string) =>
    exclusionOf({ path: within(name), fullPath: `${fullFolder}/${name}`, text: '' }, globs) !== undefined
  const paths = [within('-'), `${fullFolder}/-`].map(path => new MatchedPath(path))
  if (paths.some(path => path.matches(ofFolder))) return isExcluded
  const mayBe = (name: string) => ofName.test(name.toLowerCase())
  return name => (mayBe(name) || originalsOf(name).some(mayBe)) && isExcluded(name)
}

/** Finds quickly which files have to be looked at. */
interface Filter {
  /** Of the names in lower case. */
  readonly ofName: RegExp
  /** What ends with `**`, so that it depends on the folder alone. */
  readonly ofFolder: readonly Alternative[]
}

const filters = new WeakMap<readonly string[], Filter>()

/** The time of an expression grows with the power of its stars, and a glob may be untrusted. */
const MOST_STARS = 3

function filterOf(globs: readonly string[]): Filter {
  const known = filters.get(globs)
  if (known) return known
  const excluding = globsOf([...secretFileGlobs, ...globs]).filter(({ text }) => excludes(text))
  const all = excluding.flatMap(({ alternatives }) => alternatives)
  const lasts = all.map(one => (typeof one === 'string' ? one : (one.at(-1) ?? '')))
  const names = [...new Set(lasts.filter(name => name !== '**'))]
  const isSlow = names.some(name => name.split('*').length > MOST_STARS + 1)
  const sources = names.map(name =>
    name
      .replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
      .replace(/\*/g, '[^]*')
      .replace(/\?/g, '[^]'),
  )
  const ofName = isSlow ? /^/ : new RegExp(`^(?:${sources.join('|')})$`)
  const filter = { ofName, ofFolder: all.filter(one => typeof one !== 'string' && one.at(-1) === '**') }
  filters.set(globs, filter)
  return filter
}

/** Whether any of the globs matches a path; made once for many paths. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const all = globs.flatMap(alternativesOf)
  return path => all.length > 0 && new MatchedPath(path).matches(all)
}

/** A glob for the name alone, or the parts of one for the path. */
type Alternative = string | readonly string[]

function alternativesOf(glob: string): readonly Alternative[] {
  const all = alternatives(glob.trim().replace(/^\.\//, '').toLowerCase())
  return all.filter(one => one !== '').map(one => (one.includes('/') ? one.split('/') : one))
}

class MatchedPath {
  readonly #parts: readonly string[]
  readonly #name: string

  constructor(path: string) {
    this.#parts = path.replaceAll('\\', '/').toLowerCase().split('/')
    this.#name = this.#parts.at(-1) ?? ''
  }

  matches(alternatives: readonly Alternative[]): boolean {
    return alternatives.some(one =>
      typeof one === 'string' ? matchesName(one, this.#name) : matchesParts(one, this.#parts),
    )
  }
}

/** A limit, because each pair of braces in a glob multiplies the alternatives. */
const MAX_ALTERNATIVES = 256

function alternatives(glob: string): string[] {
  let pending = [glob]
  for (let done: string[] = []; ; done = []) {
    for (const one of pending) done.push(...expandFirstBraces(one))
    if (done.length === pending.length || done.length > MAX_ALTERNATIVES) return pending
    pending = done
  }
}

/** Expands the innermost pair first, which makes nested braces work. */
function expandFirstBraces(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob)
  if (!braces) return [glob]
  const before = glob.slice(0, braces.index)
  const after = glob.slice(braces.index + braces[0].length)
  return (braces[1] ?? '').split(',').map(choice => before + choice + after)
}

/**
 * Both matchers backtrack only to the last star, so their time is at most the product of the two lengths; a regular
 * expression made from an untrusted glob could backtrack exponentially.
 */
function matchesParts(glob: readonly string[], path: readonly string[]): boolean {
  const last = glob.at(-1) ?? ''
  if (last !== '**' && !matchesName(last, path.at(-1) ?? '')) return false
  return matchesSequence(glob.length, path.length, {
    isStar: at => glob[at] === '**',
    fits: (at, to) => matchesName(glob[at] ?? '', path[to] ?? ''),
  })
}

function matchesName(glob: string, name: string): boolean {
  if (!fitsAt(glob.at(0), name.at(0)) || !fitsAt(glob.at(-1), name.at(-1))) return false
  return matchesSequence(glob.length, name.length, {
    isStar: at => glob[at] === '*',
    fits: (at, to) => glob[at] === '?' || glob[at] === name[to],
  })
}

/** Whether the ends alone do not rule out a match, which is quicker to find out. */
const fitsAt = (glob: string | undefined, name: string | undefined) => glob === '*' || glob === '?' || glob === name

interface Rules {
  readonly isStar: (at: number) => boolean
  readonly fits: (at: number, to: number) => boolean
}

function matchesSequence(globLength: number, length: number, { isStar, fits }: Rules): boolean {
  let at = 0
  let to = 0
  let star = -1
  let starTo = 0
  while (to < length) {
    if (at < globLength && isStar(at)) {
      star = at++
      starTo = to
    } else if (at < globLength && fits(at, to)) {
      at++
      to++
    } else if (star >= 0) {
      at = star + 1
      to = ++starTo
    } else return false
  }
  while (at < globLength && isStar(at)) at++
  return at === globLength
}
