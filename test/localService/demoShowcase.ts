// `demoShowcase`: what an answer can hold beside text and code, for a user who asks to see it.

const math = `## Math

The quadratic formula is $x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$, and a sum looks like this:

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$`

const diagram = `## A diagram

\`\`\`mermaid
flowchart LR
  question[Question] --> slot{A free slot?}
  slot -- yes --> model[Model]
  slot -- no --> queue[Queue] --> slot
  model --> answer[Answer]
\`\`\``

const tasks = `## What is left

- [x] Read what was asked
- [x] Answer it
- [ ] Understand it`

export const demoTable = `| Part | Shown as | Copied as |
|---|---|---:|
| Code | coloured text | text |
| Table | rows | Markdown |
| Formula | type | source |`

interface Section {
  readonly asked: RegExp
  readonly text: string
}

const sections: readonly Section[] = [
  { asked: /\b(table|rows?)\b/i, text: `## A table\n\n${demoTable}` },
  { asked: /\b(math|formulas?|equations?)\b/i, text: math },
  { asked: /\b(diagram|mermaid|flowchart)\b/i, text: diagram },
  { asked: /\b(tasks?|todos?|checklist)\b/i, text: tasks },
]

/** `everything` asks for all of it. */
export function demoShowcase(question: string): string {
  const isAll = /\beverything\b/i.test(question)
  return sections
    .filter(({ asked }) => isAll || asked.test(question))
    .map(({ text }) => text)
    .join('\n\n')
}

export const asksForReasoning = (question: string) => /\b(think|reason(?:ing)?|everything)\b/i.test(question)

export const demoReasoning =
  'The question has a few words, and none of them is known to me. A demonstration is wanted, so I show one: a table, some code, and where to ask for more.'
