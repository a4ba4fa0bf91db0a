// `surroundingsParts`: what goes along with a question by itself: the environment once; the skills, the situation and the mode when they have changed.
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { sentParts } from '../conversation/sentTurns.ts'
import { shownPath } from '../tools/listFilesTool.ts'
import type { Mode } from '../tools/modes.ts'
import { MODE, SITUATION } from './inSentOrder.ts'

/** What stays the same for a conversation. `tree`: the paths of files and folders, folders with `/`, the top first. */
export interface Environment {
  /** Such as `Linux`. */
  readonly system: string
  /** What runs commands, such as `bash`; undefined where no command can be run. */
  readonly shell: string | undefined
  /** `2026-11-23`. */
  readonly day: string
  readonly folders: readonly string[]
  readonly tree: readonly string[]
  /** How many files there are beside those of `tree`. */
  readonly moreFiles: number
}

/** What the user looks at. `line` from 1. */
export interface Situation {
  readonly active?: { readonly path: string; readonly line: number; readonly isUnsaved: boolean }
  /** Paths of the other visible editors. */
  readonly visible: readonly string[]
}

export interface Surroundings {
  environment(signal: AbortSignal): Promise<Environment>
  situation(): Promise<Situation>
  /** The instructions for particular tasks that the workspace keeps. */
  skills(signal: AbortSignal): Promise<readonly NamedSkill[]>
  /** The user has removed them from a conversation: only the mode goes along. */
  isDeclined(conversation: string): boolean
  newId(): string
}

/** `path`: of the file with the whole. */
export interface NamedSkill {
  readonly name: string
  readonly description: string
  readonly path: string
}

export type SurroundingsPart = PartOf<'attachment'>

const ENVIRONMENT = 'environment'
const SKILLS = 'skills'

/**
 * The environment with the first question that the model is still sent; the skills, the situation and the mode where they
 * are others than before.
 */
export async function surroundingsParts(
  surroundings: Surroundings,
  state: ConversationState,
  mode: Mode,
  signal: AbortSignal,
): Promise<readonly SurroundingsPart[]> {
  const sent = sentParts(state).filter(isSurroundings)
  const last: LastSent = name => sent.findLast(part => part.name === name)?.text
  const declined = surroundings.isDeclined(state.conversation)
  const texts = declined ? [] : await workspaceTexts(surroundings, last, signal)
  if (last(MODE) !== mode.instruction) texts.push([MODE, mode.instruction])
  return texts.map(([name, text]) => ({
    ...{ kind: 'attachment', id: surroundings.newId(), source: 'environment' },
    ...{ name, text, sizeChars: text.length },
  }))
}

/** The text that a part of this name was last sent with. */
type LastSent = (name: string) => string | undefined

async function workspaceTexts(
  { environment, situation, skills }: Surroundings,
  last: LastSent,
  signal: AbortSignal,
): Promise<[name: string, text: string][]> {
  const texts: [name: string, text: string][] = []
  if (last(ENVIRONMENT) === undefined) texts.push([ENVIRONMENT, environmentText(await environment(signal))])
  const changing = [
    [SKILLS, skillsText(await skills(signal)), NO_SKILLS],
    [SITUATION, situationText(await situation()), NOTHING_OPEN],
  ] as const
  for (const [name, text, none] of changing) {
    const before = last(name)
    if ((text || none) !== (before ?? none)) texts.push([name, text || none])
  }
  return texts
}

/** Whether it is about the workspace or what the user looks at, and not about the mode, which the page shows. */
export const isAboutWorkspace = (part: PromptPart): part is SurroundingsPart =>
  isSurroundings(part) && part.name !== MODE

const isSurroundings = (part: PromptPart): part is SurroundingsPart =>
  part.kind === 'attachment' && part.source === 'environment'

function environmentText({ system, shell, day, folders, tree, moreFiles }: Environment): string {
  const commands = shell ? `Commands run in ${shell}.` : 'Commands cannot be run here.'
  const several = 'Paths begin with the name of their folder.'
  return [
    `System: ${system}. ${commands} Today is ${day}.`,
    folders.length > 1
      ? `Folders of the workspace: ${folders.map(shownPath).join(', ')}. ${several}`
      : `Workspace: ${shownPath(folders[0] ?? '')}.`,
    tree.length > 0 ? 'Files and folders:' : 'The workspace has no files.',
    ...tree.map(shownPath),
    ...(moreFiles > 0 ? [`and ${moreFiles} more files below; list_files shows them.`] : []),
  ].join('\n')
}

const NO_SKILLS = 'The workspace has no skills any more.'

/** A description is a text of the workspace like any other. */
function skillsText(skills: readonly NamedSkill[]): string {
  if (skills.length === 0) return ''
  const lines = skills.map(({ name, description, path }) => `- ${name} (${path}): ${description}`)
  return ['Where the task fits one of these, read its whole file with read_file first:', ...lines].join('\n')
}

const NOTHING_OPEN = 'The user has no file open.'

/** Empty where nothing is open. */
function situationText({ active, visible }: Situation): string {
  const others = visible.length > 0 ? [`Also visible: ${visible.map(shownPath).join(', ')}.`] : []
  const unsaved = active?.isUnsaved ? ' It has unsaved changes.' : ''
  const file = active
    ? [`The user has ${shownPath(active.path)} open, with the cursor in line ${active.line}.${unsaved}`]
    : []
  return [...file, ...others].join('\n')
}

const MOST_LINES = 200
/** The tree shows so many levels. */
const LEVELS = 2

/** The top of a list of files, breadth first. */
export function treeOf(paths: readonly string[]): Pick<Environment, 'tree' | 'moreFiles'> {
  const shown = new Set<string>()
  for (let level = 1; level <= LEVELS; level++) {
    for (const path of paths) {
      const names = path.split('/')
      if (names.length < level) continue
      const isFolder = names.length > level
      if (shown.size < MOST_LINES) shown.add(names.slice(0, level).join('/') + (isFolder ? '/' : ''))
    }
  }
  const files = new Set([...shown].filter(path => !path.endsWith('/')))
  return { tree: [...shown].sort(), moreFiles: paths.filter(path => !files.has(path)).length }
}
