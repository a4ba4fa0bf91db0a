// Reads the address of the resource metadata from a `WWW-Authenticate` header.

/**
 * The `resource_metadata` parameter of a `WWW-Authenticate` header (RFC 9728 5.1; RFC 9110 11.6.1). Several challenges
 * may stand in it; names are case-insensitive, values quoted or bare, everything unknown is skipped.
 */
export function readResourceMetadata(header: string | undefined): string | undefined {
  for (const [, name, quoted, bare] of header?.matchAll(
    /(?<![\w!#$%&'*+.^`|~-])([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g,
  ) ?? []) {
    if (name?.toLowerCase() !== 'resource_metadata') continue
    return quoted?.replace(/\\(.)/g, '$1') ?? bare
  }
  return undefined
}
