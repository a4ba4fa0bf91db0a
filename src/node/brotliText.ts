// `brotliText`: the text of a file that the build has compressed by Brotli.
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const decompress = promisify(brotliDecompress)

export async function brotliText(bytes: Uint8Array): Promise<string> {
  return (await decompress(bytes)).toString('utf8')
}
