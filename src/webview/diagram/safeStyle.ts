// `safeStyle`: removes from CSS what could load something.

/** Functions that load, except a reference to an element of the same drawing. */
const loading = /(?:url|src|image|image-set|-webkit-image-set|cross-fade|element|paint)\(\s*(?!\s*["']?#)[^)]*\)?/gi

/** Escapes and comments go first, because they could hide the rest. */
export function safeStyle(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replaceAll('\\', '')
    .replace(/@(?:import|charset|namespace|font-face|document)[^;{}]*(?:;|\{[^}]*\}|$)/gi, '')
    .replace(loading, 'none')
}
