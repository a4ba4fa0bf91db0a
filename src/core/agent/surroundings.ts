// `surroundingsParts`: what goes along with a question by itself: the environment once, and the situation when it has changed.
import type { PartOf, PromptPart } from '../../protocol/conversation.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { sentParts } from '../conversation/sentTurns.ts'
import { shownPath } from '../tools/listFilesTool.ts'
import type { Mode } from '../tools/modes.ts'

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
  newId(): string
}

/** `path`: of the file with the whole. */
export interface NamedSkill {
  readonly name: string
  readonly description: string
  readonly path: string
}

const ENVIRONMENT = 'environment'
const SITUATION = 'situation'
const SKILLS = 'skills'

/**
 * The environment with the first question that the model is still sent; the skills and the situation where they are others
 * than before.
 */
export async function surroundingsParts(
  { environment, situation, skills, newId }: Surroundings,
  state: ConversationState,
  mode: Mode,
  signal: AbortSignal,
): Promise<readonly PromptPart[]> {
  const sent = sentParts(state).filter(isSurroundings)
  const last = (name: string) => sent.findLast(part => part.name === name)?.text
  const texts: (readonly [name: string, text: string])[] = []
  if (last(ENVIRONMENT) === undefined) texts.push([ENVIRONMENT, environmentText(await environment(signal))])
  const offered = skillsText(await skills(signal))
  const sentSkills = last(SKILLS)
  if (offered !== '' ? sentSkills !== offered : sentSkills !== undefined && sentSkills !== NO_SKILLS)
    texts.push([SKILLS, offered || NO_SKILLS])
  const now = situationText(await situation(), mode)
  if (last(SITUATION) !== now) texts.push([SITUATION, now])
  return texts.map(([name, text]) => ({
    ...{ kind: 'attachment', id: newId(), source: 'environment' },
    ...{ name, text, sizeChars: text.length },
  }))
}

const isSurroundings = (part: PromptPart): part is PartOf<'attachment'> =>
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

function situationText({ active, visible }: Situation, { instruction }: Mode): string {
  const others = visible.length > 0 ? [`Also visible: ${visible.map(shownPath).join(', ')}.`] : []
  const unsaved = active?.isUnsaved ? ' It has unsaved changes.' : ''
  const file = active
    ? [`The user has ${shownPath(active.path)} open, with the cursor in line ${active.line}.${unsaved}`]
    : []
  return [instruction, ...file, ...others].join('\n')
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
