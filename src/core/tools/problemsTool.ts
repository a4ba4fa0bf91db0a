// `problemsTool`: `problems`, with which the model reads what the editor's languages report.

import { modelText } from '../workspace/modelText.ts'
import { bySeverity, type Problem, type Problems, problemLine } from '../workspace/problems.ts'
import type { TextFiles } from '../workspace/textFiles.ts'
import type { Tool, ToolInput, ToolOutput } from './tool.ts'
import { textOutput } from './toolOutput.ts'
import type { ToolPaths } from './toolPaths.ts'

export interface ProblemsPorts {
  readonly paths: ToolPaths
  readonly files: Pick<TextFiles, 'read'>
  readonly problems: Pick<Problems, 'of'>
}

const MOST = 50

export function problemsTool(ports: ProblemsPorts): Tool {
  return {
    name: 'problems',
    description:
      `Lists the errors and warnings that the editor shows, errors first, at most ${MOST}. ` +
      'The editor knows those of files that are open or that its language support has checked; a build or the tests may find more.',
    parameters: {
      properties: {
        paths: {
          type: 'array',
          description: 'Only of these files or folders; of all files without it',
          items: { type: 'string' },
        },
      },
    },
    rights: 'read',
    run: (input, _, signal) => listed(ports, input, signal),
  }
}

async function listed(ports: ProblemsPorts, input: ToolInput, signal: AbortSignal): Promise<ToolOutput> {
  const { paths, problems } = ports
  const judged = new Map<string, Promise<boolean>>()
  const wanted = Array.isArray(input['paths']) ? input['paths'].map(String) : []
  const found: Problem[] = []
  let secret = 0
  for (const problem of problems.of(undefined)) {
    const path = paths.shortPath(problem.uri)
    if (path === undefined || !isWanted(path, wanted)) continue
    const isShown = judged.get(path) ?? mayBeShown(ports, path, signal)
    judged.set(path, isShown)
    if (await isShown) found.push({ ...problem, path })
    else secret++
  }
  const about = wanted.length > 0 ? ` in ${wanted.join(', ')}` : ''
  const left = secret > 0 ? `\n${secret} in secret or ignored files are not shown.` : ''
  if (found.length === 0) return textOutput(`The editor shows no problem${about}.${left}`)
  const sorted = found.toSorted(bySeverity)
  const shown = sorted.slice(0, MOST).map(problem => modelText(problemLine(problem)).text)
  const more = sorted.length > MOST ? `\n${sorted.length - MOST} more; name files in paths to see them.` : ''
  return textOutput(`${shown.join('\n')}${more}${left}`)
}

/** A message may quote the file, so it is judged as the file is, by its path and by its text. */
async function mayBeShown({ paths, files }: ProblemsPorts, path: string, signal: AbortSignal): Promise<boolean> {
  const located = await paths.locate(path, signal)
  if (located.is === 'refused') return false
  const isShown = async (text: string | undefined) => {
    const { refusal, concerns } = await paths.judge(located, text, signal)
    return refusal === undefined && concerns.length === 0
  }
  if (!(await isShown(undefined))) return false
  const text = located.found && (await files.read(located.uri, undefined, signal))?.text
  return text === undefined || isShown(text)
}

function isWanted(path: string, wanted: readonly string[]): boolean {
  return (
    wanted.length === 0 ||
    wanted.some(one => {
      const name = one.replace(/^\.?\/|\/$/g, '')
      return name === '' || name === '.' || path === name || path.startsWith(`${name}/`)
    })
  )
}
