// `CleanerCase`: a document, what a model answers at its cursor, and the lines that result.
import type { Look } from '../snapshots.ts'

/** The document has its cursor at the first `|`. `line` is the cursor's line afterwards, with the lines that it brought. */
export type CleanerCase = readonly [name: string, document: string, raw: string, line: string, look?: Look]

export const looks = {
  typescript: { language: 'typescript', path: 'src/a.ts', indent: '  ' },
  tsx: { language: 'typescriptreact', path: 'src/a.tsx', indent: '  ' },
  javascript: { language: 'javascript', path: 'a.js', indent: '  ' },
  python: { language: 'python', path: 'a.py', indent: '    ' },
  go: { language: 'go', path: 'a.go', indent: '\t' },
  rust: { language: 'rust', path: 'a.rs', indent: '    ' },
  java: { language: 'java', path: 'A.java', indent: '    ' },
  c: { language: 'c', path: 'a.c', indent: '\t' },
  cpp: { language: 'cpp', path: 'a.cpp', indent: '  ' },
  csharp: { language: 'csharp', path: 'A.cs', indent: '    ' },
  html: { language: 'html', path: 'a.html', indent: '  ' },
  vue: { language: 'vue', path: 'a.vue', indent: '  ' },
  xml: { language: 'xml', path: 'a.xml', indent: '  ' },
  css: { language: 'css', path: 'a.css', indent: '  ' },
  scss: { language: 'scss', path: 'a.scss', indent: '  ' },
  json: { language: 'json', path: 'a.json', indent: '  ' },
  yaml: { language: 'yaml', path: 'a.yaml', indent: '  ' },
  toml: { language: 'toml', path: 'a.toml', indent: '  ' },
  sql: { language: 'sql', path: 'a.sql', indent: '  ' },
  shell: { language: 'shellscript', path: 'a.sh', indent: '  ' },
  powershell: { language: 'powershell', path: 'a.ps1', indent: '  ' },
  ruby: { language: 'ruby', path: 'a.rb', indent: '  ' },
  perl: { language: 'perl', path: 'a.pl', indent: '  ' },
  php: { language: 'php', path: 'a.php', indent: '    ' },
  lua: { language: 'lua', path: 'a.lua', indent: '  ' },
  kotlin: { language: 'kotlin', path: 'A.kt', indent: '    ' },
  swift: { language: 'swift', path: 'a.swift', indent: '    ' },
  dart: { language: 'dart', path: 'a.dart', indent: '  ' },
  elixir: { language: 'elixir', path: 'a.ex', indent: '  ' },
  haskell: { language: 'haskell', path: 'a.hs', indent: '  ' },
  clojure: { language: 'clojure', path: 'a.clj', indent: '  ' },
  r: { language: 'r', path: 'a.r', indent: '  ' },
  makefile: { language: 'makefile', path: 'Makefile', indent: '\t' },
  dockerfile: { language: 'dockerfile', path: 'Dockerfile', indent: '  ' },
  markdown: { language: 'markdown', path: 'a.md', indent: '  ' },
  plaintext: { language: 'plaintext', path: 'notes', indent: '  ' },
  latex: { language: 'latex', path: 'a.tex', indent: '  ' },
} as const satisfies Readonly<Record<string, Look>>

/** The same look for all of them. */
export function casesIn(look: Look, cases: readonly CleanerCase[]): CleanerCase[] {
  return cases.map(([name, document, raw, line, own]) => [name, document, raw, line, { ...look, ...own }])
}
