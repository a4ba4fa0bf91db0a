// `drawDiagram`: draws a diagram within a time limit, or reports why it cannot.
import type { DiagramResult } from '../lazyFiles.ts'
import type { Words } from '../words.ts'
import { diagramLook } from './diagramLook.ts'
import { lazyFile } from './lazyFile.ts'

/** Of which the first second may be that of the file. */
const limitMs = 10_000

export type Drawn =
  | { readonly is: 'drawn'; readonly result: DiagramResult }
  | { readonly is: 'failed'; readonly reason: string }

export async function drawDiagram(source: string, words: Words): Promise<Drawn> {
  try {
    const draw = await lazyFile('diagram')
    return { is: 'drawn', result: await inTime(draw(source, diagramLook())) }
  } catch (fault) {
    const [, line] = /\bline (\d+)/.exec(fault instanceof Error ? fault.message : '') ?? []
    return { is: 'failed', reason: line ? words.of('diagramFaulty', { line }) : words.of('diagramFailed') }
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The drawing takes too long.')), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
