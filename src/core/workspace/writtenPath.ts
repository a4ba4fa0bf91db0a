// `readWrittenPath`: a path as a model or a person writes it, reduced to plain names, or why it is not accepted.

export type PathProblem =
  | 'empty'
  | 'control character'
  | 'address'
  | 'network or device'
  | 'home folder'
  | 'encoded'
  | 'odd name'
  | 'outside'

export type WrittenPath =
  | { readonly is: 'relative'; readonly names: readonly string[] }
  /** `path` with `/` between its names. */
  | { readonly is: 'absolute'; readonly path: string }
  | { readonly is: 'refused'; readonly problem: PathProblem }

const refused = (problem: PathProblem): WrittenPath => ({ is: 'refused', problem })

/** Names that Windows gives to devices, in every folder and with every ending. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i

/** The same on every system, because a workspace may be shared with Windows. Touches no file. */
export function readWrittenPath(written: string): WrittenPath {
  if (written.trim() === '') return refused('empty')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in a path
  if (/[\u0000-\u001f\u007f-\u009f]/.test(written)) return refused('control character')
  const path = written.replaceAll('\\', '/')
  if (/^\/\/|^\/\?\?\/|^\/(?:dev|proc|sys)\//i.test(path)) return refused('network or device')
  if (path.startsWith('~')) return refused('home folder')
  if (/%(?:2e|2f|5c|00)/i.test(path)) return refused('encoded')
  const drive = /^[a-z]:\//i.exec(path)?.[0] ?? ''
  if (!drive && /^[a-z][a-z\d+.-]*:/i.test(path)) return refused('address')
  return readNames(path, drive)
}

function readNames(path: string, drive: string): WrittenPath {
  const isAbsolute = drive !== '' || path.startsWith('/')
  const names: string[] = []
  for (const name of path.slice(drive.length).split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (names.pop() === undefined) return refused('outside')
    } else if (isOdd(name)) return refused('odd name')
    else names.push(name)
  }
  if (names.length === 0) return refused('empty')
  return isAbsolute ? { is: 'absolute', path: `${drive || '/'}${names.join('/')}` } : { is: 'relative', names }
}

/** A stream of NTFS, a short name (8.3), a device, or an ending that Windows drops. */
function isOdd(name: string): boolean {
  return name.includes(':') || /^[^.]{1,6}~\d(?:\.|$)/.test(name) || /[. ]$/.test(name) || device.test(name)
}
