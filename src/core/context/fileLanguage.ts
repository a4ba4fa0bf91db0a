// `fileLanguage`: a name for the language of a file that no editor has open, by its ending.

const names: Readonly<Record<string, string>> = {
  cjs: 'javascript',
  cts: 'typescript',
  htm: 'html',
  js: 'javascript',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  ts: 'typescript',
  yml: 'yaml',
}

/** An ending that is not in the table names the language as well as a fence needs it. */
export function fileLanguage(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
  return names[ending] ?? ending
}
