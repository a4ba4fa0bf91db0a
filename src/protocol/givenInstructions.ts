// `givenInstructions`: the instruction files that came with the result of a call, as the details of the result keep them.
import { countOf, listOf, objectOf, textOf } from './json.ts'

/** `sizeBytes`: of its text as UTF-8. `hash`: SHA-256 of its text. `isLeftOut`: only its path was sent. */
export interface GivenInstruction {
  readonly uri: string
  readonly path: string
  readonly sizeBytes: number
  readonly hash: string
  readonly isLeftOut?: boolean
}

export function givenInstructions(details: Readonly<Record<string, unknown>> | undefined): GivenInstruction[] {
  return listOf(details?.['instructions']).flatMap(value => {
    const one = objectOf(value)
    const [uri, path, hash] = [textOf(one?.['uri']), textOf(one?.['path']), textOf(one?.['hash'])]
    const sizeBytes = countOf(one?.['sizeBytes']) ?? 0
    return uri === '' ? [] : [{ uri, path, hash, sizeBytes, ...(one?.['isLeftOut'] === true && { isLeftOut: true }) }]
  })
}
