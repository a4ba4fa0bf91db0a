// `withoutEachPart`: the replay in copies of the sources from each of which one part of the completer is removed by a patch.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { plantedFaults } from '../../faults/plantedFault.ts'
import { SourceCopy } from '../../faults/sourceCopy.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(import.meta.dirname, 'parts')

/** The parts that are patches; the others are switched off in `completerAdapter.ts`. */
export const removedParts = plantedFaults(folder)

/** For each part, the lines that the replay prints with `--note`. */
export async function* withoutEachPart(seeds: number): AsyncIterable<readonly string[]> {
  const copy = new SourceCopy(root)
  for (const part of removedParts) {
    copy.plant(part)
    const args = [
      'test/bench/typing/main.ts',
      '--seeds',
      `${seeds}`,
      '--note',
      `without ${part.name.replaceAll('-', ' ')}`,
    ]
    const child = spawn(process.execPath, ['--no-warnings', ...args], {
      cwd: copy.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    const text = (await child.stdout.setEncoding('utf8').toArray()).join('')
    const [code] = await closed
    if (code !== 0) throw new Error(`The replay without ${part.name} ended with code ${code}.`)
    yield text.trimEnd().split('\n')
    copy.restore(part)
  }
}
