// The slash commands of the composer: `slashCommands`, what each attaches, and `expandedPrompt`, what the model is asked.
import type { actingCommands } from '../../protocol/actingCommands.ts'

/**
 * `attaches`: what the command is about, which is attached where the user sees it when the command is selected. `acts`:
 * it sends nothing.
 */
export interface SlashCommand {
  readonly name: string
  readonly attaches?: 'code' | 'changes' | 'for-commit'
  readonly acts?: (typeof actingCommands)[number]
  /** What the model is asked; what the user has written follows it. */
  readonly instruction: string
}

export const slashCommands = [
  {
    name: 'explain',
    attaches: 'code',
    instruction:
      'Explain the attached code to a developer who has not seen it before: what it is for, how it works, and what is easy to get wrong. Begin with one sentence that says what it does. If problems are attached, explain what they mean and what causes them instead.',
  },
  {
    name: 'fix',
    attaches: 'code',
    instruction:
      'Find what is wrong in the attached code, with the attached problems if there are any. Say the cause in a sentence or two, then show the corrected code in a fenced block that names the file.',
  },
  {
    name: 'tests',
    attaches: 'code',
    instruction:
      'Write tests for the attached code, in the test framework and the style of this project as far as they can be seen. Cover the usual case, the limits and the faults. Put each file into a fenced block that names its path.',
  },
  {
    name: 'doc',
    attaches: 'code',
    instruction:
      'Write the documentation comments of the attached code in the form that its language expects: what it does, its parameters, results and errors, and nothing that the code says by itself. Show the code with its comments in a fenced block that names the file.',
  },
  {
    name: 'review',
    attaches: 'changes',
    instruction:
      'Review the attached changes as a careful colleague: first faults that would reach a user, then missing tests, then what is hard to understand. Name file and line for each, most important first, and leave out what is a matter of taste. Say so if nothing is wrong.',
  },
  {
    name: 'commit',
    attaches: 'for-commit',
    instruction:
      'Write a commit message for the attached changes: a subject of at most 72 characters in the imperative, an empty line, then why the change is made if that does not follow from the subject. Answer with the message alone in a fenced block.',
  },
  { name: 'compact', acts: 'compact', instruction: '' },
  { name: 'clear', acts: 'clear', instruction: '' },
] as const satisfies readonly SlashCommand[]

export type SlashCommandName = (typeof slashCommands)[number]['name']

/** The command at the beginning of a text, and what follows it. */
export function slashCommandOf(text: string): { readonly command: SlashCommand; readonly rest: string } | undefined {
  const [, name, rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  const command = slashCommands.find(one => one.name === name)
  return command && { command, rest }
}

/** What the model is asked for the text that the user wrote. A command that acts is no question. */
export function expandedPrompt(text: string): string {
  const found = slashCommandOf(text)
  if (!found || found.command.acts) return text
  const { command, rest } = found
  return rest ? `${command.instruction}\n\n${rest}` : command.instruction
}
