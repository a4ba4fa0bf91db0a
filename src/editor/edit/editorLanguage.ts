// `editorLanguage`: the editor's name of the language that is named behind a fence.
import { languages } from 'vscode'

const names: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c#': 'csharp',
  'c++': 'cpp',
  console: 'shellscript',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  md: 'markdown',
  patch: 'diff',
  ps1: 'powershell',
  pwsh: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zsh: 'shellscript',
}

/** Undefined where the editor does not know it. */
export async function editorLanguage(language: string): Promise<string | undefined> {
  const name = language.toLowerCase()
  const known = await languages.getLanguages()
  return [names[name], name].find(one => one !== undefined && known.includes(one))
}
