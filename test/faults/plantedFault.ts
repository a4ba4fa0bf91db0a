// A planted fault as a patch of this folder holds it: its name, what breaks for whom, and the files that it changes.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface PlantedFault {
  /** `<area>-<what>`, the patch's file name without its ending. */
  readonly name: string
  /** The patch's file, as an absolute path. */
  readonly patch: string
  /** What breaks for whom: the comment lines above the diff. */
  readonly about: string
  /** The sources that it changes, relative to the root of the project. */
  readonly sources: readonly string[]
}

const ENDING = '.patch'

/** All faults, or those whose name or area is among `wanted`. Throws where one of these names no fault. */
export function plantedFaults(folder: string, wanted: readonly string[] = []): readonly PlantedFault[] {
  const patches = readdirSync(folder).filter(name => name.endsWith(ENDING))
  const faults = patches.toSorted().map(patch => readFault(join(folder, patch)))
  const unknown = wanted.find(name => !faults.some(fault => isNamed(fault, name)))
  if (unknown) throw new Error(`No planted fault has the name or the area '${unknown}'.`)
  return wanted.length === 0 ? faults : faults.filter(fault => wanted.some(name => isNamed(fault, name)))
}

const isNamed = ({ name }: PlantedFault, wanted: string) => name === wanted || name.startsWith(`${wanted}-`)

function readFault(patch: string): PlantedFault {
  const text = readFileSync(patch, 'utf8')
  const about = text.slice(0, text.indexOf('--- a/')).replace(/^# ?/gm, '').trim()
  const sources = [...text.matchAll(/^\+\+\+ b\/(\S+)/gm)].map(([, path = '']) => path)
  return { name: basename(patch, ENDING), patch, about, sources }
}
