// `fileReference`: a text that may name a file of the workspace, with a line; whether there is one is not known here.

export interface FileReference {
  /** With forward slashes; absolute if it begins with a slash or a drive. */
  readonly path: string
  /** From 1. */
  readonly line?: number
  readonly column?: number
}

export const MAX_REFERENCE_CHARS = 300
const maxDepth = 30

const place =
  /(?::(?<line>\d{1,7})(?::(?<column>\d{1,5}))?(?:-\d{1,7})?|#L(?<hash>\d{1,7})(?:-L?\d{1,7})?|\((?<round>\d{1,7})(?:, ?(?<comma>\d{1,5}))?\))$/
/** Also schemes, streams of NTFS, encoded characters, wildcards, and every character that does not show. */
const forbidden =
  /[\p{C}\p{Zl}\p{Zp}<>"|?*:%`⟦⟧\u00a0\u115f\u1160\u2000-\u200a\u3000\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u
const device = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i
const withEnding = /[^.]\.[A-Za-z][\w-]{0,11}$|^\.[a-z][\w.-]{1,30}$/
const withoutEnding =
  /^(?:Makefile|Dockerfile|Containerfile|Jenkinsfile|Procfile|Gemfile|Rakefile|LICENSE|README|CHANGELOG|BUILD|WORKSPACE)$/

export function fileReference(text: string): FileReference | undefined {
  if (text.length > MAX_REFERENCE_CHARS) return undefined
  const found = place.exec(text)
  const path = plainPath(found ? text.slice(0, found.index) : text)
  if (path === undefined) return undefined
  const { line, column, hash, round, comma } = found?.groups ?? {}
  const at = { line: numberOf(line ?? hash ?? round), column: numberOf(column ?? comma) }
  return {
    path,
    ...(at.line !== undefined && { line: at.line }),
    ...(at.column !== undefined && { column: at.column }),
  }
}

const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Math.max(1, Number(digits)))

/** Undefined for what no file of a workspace is named like, above all for what leads out of it. */
function plainPath(text: string): string | undefined {
  // A network path would be a login, so it is refused before anything is asked of the disk.
  if (/^[\\/]{2}/.test(text) || text.startsWith('~')) return undefined
  const [drive = ''] = /^[A-Za-z]:(?=[\\/])/.exec(text) ?? []
  const path = text
    .slice(drive.length)
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
  const segments = path.replace(/^\//, '').split('/')
  if (forbidden.test(path) || segments.length > maxDepth || !segments.every(isPlain)) return undefined
  const name = segments.at(-1) ?? ''
  return withEnding.test(name) || withoutEnding.test(name) ? `${drive}${path}` : undefined
}

/** Not `..`, which leads out, nor what Windows would read as another name. */
const isPlain = (segment: string) => segment !== '' && !/^\.+$|^ |[. ]$|~\d/.test(segment) && !device.test(segment)

export const isAbsolute = ({ path }: FileReference) => /^(?:\/|[A-Za-z]:)/.test(path)
