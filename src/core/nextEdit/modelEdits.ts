// `ModelEdits`: asks a model for the edit that follows those of the user, where no language knows it.
import { collect } from '../model/collect.ts'
import type { ModelClient, ModelRequest } from '../model/modelClient.ts'
import { textMessage } from '../model/textMessage.ts'
import type { DocumentSnapshot } from '../workspace/documentSnapshot.ts'
import type { Replacement } from '../workspace/replacement.ts'
import type { LinePlace } from './likelyPlace.ts'

export interface ModelEditsOptions {
  readonly models: ModelClient
  /** Undefined where there is none that answers at once. */
  readonly model: () => string | undefined
  readonly thinkingOff: (model: string) => Pick<ModelRequest, 'thinkingOff'>
}

export interface EditQuestion {
  readonly snapshot: DocumentSnapshot
  /** The last edits as diffs, the newest last. */
  readonly edits: readonly string[]
  /** Messages of problems in the region. */
  readonly problems: readonly string[]
  readonly place: LinePlace
}

const MAX_TOKENS = 400
const MOST_LINES = 12

export class ModelEdits {
  readonly #options: ModelEditsOptions

  constructor(options: ModelEditsOptions) {
    this.#options = options
  }

  /** What the model would change within the region; undefined where it has nothing. */
  async suggest(question: EditQuestion, signal: AbortSignal): Promise<Replacement | undefined> {
    const { models, model: current, thinkingOff } = this.#options
    const model = current()
    if (model === undefined) return undefined
    const region = regionOf(question)
    const request: ModelRequest = {
      model,
      system,
      messages: [textMessage('user', promptOf(question, region.text))],
      temperature: 0,
      maxTokens: MAX_TOKENS,
      lane: 'completion',
      ...thinkingOff(model),
    }
    const { text, why } = await collect(models.stream(request, signal))
    const block = why === 'done' ? blockIn(text) : undefined
    return block && replacementOf(block, region)
  }
}

const system = `You predict the next edit of a programmer.
You see the last edits as diffs, the newest last, and a region of a file as it is now. Finish what the newest edits have begun: a caller of what has other parameters now, the next of a repeated edit, the other half of a change.
Make the smallest coherent change, within the region. Never undo an edit. Change nothing that the edits do not ask for.
Reply with one block and nothing else, its first part copied exactly from the region, in whole lines:
<<<<<<< SEARCH
lines of the region
=======
these lines with the next edit
>>>>>>> REPLACE
Reply NONE if no edit follows.`

function promptOf({ snapshot, edits, problems }: EditQuestion, region: string): string {
  const fence = fenceFor([...edits, ...problems, region])
  const part = (title: string, text: string) => `${title}:\n${fence}\n${text}\n${fence}\n`
  return [
    part('The last edits', edits.join('\n\n')),
    problems.length > 0 ? part('Problems in the region', problems.join('\n')) : '',
    part(`The region, of ${snapshot.path.replace(/[\r\n]/g, ' ')}`, region),
    'The next edit:',
  ].join('')
}

/** None of the texts contains it. */
function fenceFor(texts: readonly string[]): string {
  let fence = '```'
  while (texts.some(text => text.includes(fence))) fence += '`'
  return fence
}

interface Region {
  readonly start: number
  readonly text: string
}

function regionOf({ snapshot: { text }, place: { first, end } }: EditQuestion): Region {
  const lines = text.split('\n')
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0)
  return { start, text: lines.slice(first, end).join('\n') }
}

interface Block {
  readonly search: string
  readonly replace: string
}

function blockIn(answer: string): Block | undefined {
  const match = /^<{5,9} ?SEARCH[ \t]*\n([\s\S]*?)^={5,9}[ \t]*\n([\s\S]*?)^>{5,9} ?REPLACE/m.exec(answer)
  if (!match) return undefined
  const [, search = '', replace = ''] = match
  return { search: search.replace(/\n$/, ''), replace: replace.replace(/\n$/, '') }
}

/** Undefined where the lines are not in the region exactly once, or are too many. */
function replacementOf({ search, replace }: Block, { start, text }: Region): Replacement | undefined {
  const isShort = [search, replace].every(part => part.split('\n').length <= MOST_LINES)
  if (search.trim() === '' || search === replace || !isShort) return undefined
  const within = `\n${text}\n`
  const at = within.indexOf(`\n${search}\n`)
  if (at < 0 || within.indexOf(`\n${search}\n`, at + 1) >= 0) return undefined
  return { start: start + at, end: start + at + search.length, text: replace }
}
