// `readJsonc`: reads JSON with comments and trailing commas, as the editor's own files are written.

const stringOrComment = /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g
const stringOrTrailingComma = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g

/** Throws a `SyntaxError` for anything else. */
export function readJsonc(text: string): unknown {
  const keepStrings = (found: string) => (found.startsWith('"') ? found : ' ')
  return JSON.parse(
    text
      .replace(/^\ufeff/, '')
      .replace(stringOrComment, keepStrings)
      .replace(stringOrTrailingComma, keepStrings),
  )
}
