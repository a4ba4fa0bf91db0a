// `Skills`: the instructions for particular tasks that a workspace keeps in folders, by name and description.
import { clip, sanitizeLine } from '../../base/text.ts'
import type { FileAccess } from './fileAccess.ts'
import { frontMatter } from './frontMatter.ts'
import type { InstructionPorts } from './instructions.ts'

/** `path`: of its file, with which `read_file` reads the whole. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly path: string
}

export interface SkillPorts extends Pick<InstructionPorts, 'folders' | 'isOn' | 'isTrusted'> {
  /** The names of the folders directly in a folder, as parts of a uri, sorted; none where there is no such folder. */
  readonly foldersIn: (folder: string, signal: AbortSignal) => Promise<readonly string[]>
}

const places = ['.agents/skills', '.github/skills', '.claude/skills']
const MOST_SKILLS = 50
/** About 100 tokens with name and path. */
const MOST_DESCRIPTION_CHARS = 300

export class Skills {
  readonly #access: FileAccess
  readonly #ports: SkillPorts

  constructor(access: FileAccess, ports: SkillPorts) {
    this.#access = access
    this.#ports = ports
  }

  /** Of several with the same name the first. What a skill asks to be allowed is not read: it grants nothing. */
  async all(signal: AbortSignal): Promise<readonly Skill[]> {
    const { isTrusted, folders, isOn, foldersIn } = this.#ports
    if (!isTrusted()) return []
    const roots = folders().filter(({ uri }) => isOn(uri))
    const parents = roots.flatMap(({ uri }) => places.map(place => `${uri}/${place}`))
    const found = await Promise.all(
      parents.map(async parent => {
        const names = await foldersIn(parent, signal)
        return Promise.all(names.slice(0, MOST_SKILLS).map(name => this.#skill(`${parent}/${name}`, name, signal)))
      }),
    )
    const skills = found.flat().filter(skill => skill !== undefined)
    const byName = new Map(skills.toReversed().map(skill => [skill.name, skill]))
    return skills.filter(skill => byName.get(skill.name) === skill).slice(0, MOST_SKILLS)
  }

  /** Never from outside the workspace, nor anything that looks secret. */
  async #skill(folder: string, folderName: string, signal: AbortSignal): Promise<Skill | undefined> {
    if (!/^[a-z0-9-]{1,64}$/.test(folderName)) return undefined
    const taken = await this.#access.take(`${folder}/SKILL.md`, 'mention', signal)
    if (taken.is === 'omitted') return undefined
    const { values } = frontMatter(taken.read.text)
    const [name] = values.get('name') ?? []
    const description = sanitizeLine(values.get('description')?.join(', ') ?? '', 1_024)
    if (name !== folderName || description === '') return undefined
    return { name, description: clip(description, MOST_DESCRIPTION_CHARS), path: taken.file.path }
  }
}
