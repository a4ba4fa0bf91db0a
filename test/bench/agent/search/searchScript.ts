// `searchScript`: the path of the script of the search threads, from the sources.
import { join } from 'node:path'

export const searchScript = join(import.meta.dirname, '../../../../src/node/search/searchWorker.ts')
