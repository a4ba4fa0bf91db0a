// The answers of the demo model: it reads what it is given and answers the same way each time.
import { attachedTexts } from './attachedText.ts'
import { demoChange } from './demoChange.ts'
import { languageAskedFor, languageOfPath, sampleOf } from './demoCode.ts'
import { completionFor, isCompletion } from './demoCompletion.ts'
import { demoDuty } from './demoDuty.ts'
import { asksForReasoning, demoReasoning, demoShowcase, demoTable } from './demoShowcase.ts'
import { imagesOf, type Message, type ModelRequest } from './modelRequest.ts'
import type { Reply } from './replies.ts'
import { sampleArguments } from './sampleArguments.ts'
import { type Scenario, scenarioReply } from './scenario.ts'
import { namedFiles, withoutSurroundings } from './surroundings.ts'
import { taggedBlocks } from './taggedBlock.ts'

/** Calls tools as a scenario has it; else only where it is made to, because it could not make up its mind to. */
export function demoReply(request: ModelRequest, scenarios: readonly Scenario[]): Reply {
  const { messages, tools, toolChoice } = request
  if (isCompletion(messages)) return { text: completionFor(messages) }
  const duty = demoDuty(messages)
  if (duty !== undefined) return { text: duty }
  const isForced = toolChoice !== 'auto' && toolChoice !== 'none'
  const name = typeof toolChoice === 'object' ? toolChoice.name : tools[0]?.name
  const tool = isForced ? tools.find(one => one.name === name) : undefined
  if (tool) return { toolCalls: [{ name: tool.name, arguments: sampleArguments(tool.parameters) }] }
  const scripted = toolChoice === 'none' ? undefined : scenarioReply(scenarios, request)
  if (scripted) return scripted
  const asked = messages.findLast(({ role }) => role === 'user')?.text ?? ''
  const reasoning = asksForReasoning(takeApart(asked).question) ? demoReasoning : undefined
  return { text: chatAnswer(messages), ...(reasoning && { reasoning }) }
}

interface Attachment {
  readonly path: string
  readonly text: string
  /** Such as `git-change`; a file without it. */
  readonly source?: string
}

function chatAnswer(messages: readonly Message[]): string {
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  const { question, attachments } = takeApart(asked.at(-1) ?? '')
  const earlier = asked.slice(0, -1).flatMap(text => takeApart(text).attachments)
  const files = attachments.length > 0 ? attachments : earlier
  const language = languageAskedFor(
    question,
    files.map(({ path }) => path),
  )
  const wanted = lengthAskedFor(question)
  const parts = [
    "I am the **demo model** of Kourier's local service. I do not think; I show how an answer looks.",
    question === '' ? '' : `You asked:\n\n${quote(question)}`,
    fileList(files),
    imageList(messages),
    toolList(messages),
    asksForCommit(question) ? commitMessage(files) : '',
    files.length > 0 || wanted ? '' : workspaceTable(asked.flatMap(namedFiles)),
    codeFor(files, language, question),
    demoShowcase(question),
    wanted ? longText(wanted) : HINT,
  ]
  return parts.filter(part => part !== '').join('\n\n')
}

const HINT =
  'Ask for *500 lines* or *200 words* to see a long answer, or for *a table*, *math*, *a diagram*, *a diff* or *everything*. Attach a file to see code for it that can be applied.'

const LONGEST_WHOLE_FILE = 120

/** The first attached file with a small change, as a block that names it; a sample where nothing can be changed. */
function codeFor(files: readonly Attachment[], language: string, question: string): string {
  for (const { path, text, source = 'file' } of files) {
    const isMeant = ['file', 'selection', 'symbol'].includes(source) && languageOfPath(path) === language
    const change = isMeant ? demoChange(path, text) : undefined
    if (!change) continue
    if (/\bdiff\b/i.test(question)) return `The change as a diff:\n\n${fenced(`diff ${path}`, change.diff)}`
    const isShort = source === 'file' && change.text.split('\n').length <= LONGEST_WHOLE_FILE
    const code = isShort ? change.text : change.lines.join('\n')
    return `Here is \`${path}\` with a comment above \`${change.name}\`:\n\n${fenced(`${language} ${path}`, code)}`
  }
  return `Here is a small piece of code in ${language}:\n\n${fenced(language, sampleOf(language))}`
}

function fenced(info: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info}\n${code}\n${fence}`
}

const asksForCommit = (question: string) => /commit message/i.test(question)

function commitMessage(files: readonly Attachment[]): string {
  const changed = files.flatMap(({ text }) => [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(match => match[1] ?? ''))
  const subject = changed[0] ? `Change ${changed[0]}` : 'Change nothing'
  const rest = changed.length > 1 ? `\n\nAlso ${changed.slice(1).join(', ')}.` : ''
  return `A commit message:\n\n${fenced('text', `${subject}${rest}`)}`
}

const fencedFile = /^[ \t]*`?([\w@.][\w@./\\-]*\.\w+)`?:?[ \t]*\n(`{3,})[^\n`]*\n([\s\S]*?)\n?\2[ \t]*$/gm

/** The question without the files that came with it. */
function takeApart(text: string): { question: string; attachments: Attachment[] } {
  const named = attachedTexts(withoutSurroundings(text))
  const blocks = taggedBlocks(named.rest, 'file').filter(block => block.attribute('path') !== '')
  const withoutBlocks = blocks.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), named.rest)
  const fencedFiles = [...withoutBlocks.matchAll(fencedFile)].map(match => ({
    path: match[1] ?? '',
    text: match[3] ?? '',
  }))
  const question = withoutBlocks.replace(fencedFile, '').trim()
  const attached = blocks.map(block => ({ path: block.attribute('path'), text: block.text }))
  const kourier = named.attachments.map(({ name: path, text: content, source }) => ({ path, text: content, source }))
  return { question, attachments: [...kourier, ...attached, ...fencedFiles] }
}

function quote(question: string): string {
  const lines = question.split('\n')
  const shown = lines.slice(0, 5).map(line => (line.length > 200 ? `${line.slice(0, 200)}…` : line))
  return [...shown, ...(lines.length > 5 ? ['…'] : [])].map(line => `> ${line}`.trimEnd()).join('\n')
}

function fileList(files: readonly Attachment[]): string {
  if (files.length === 0) return ''
  const rows = files.map(({ path, text, source = 'file' }) => `| \`${path}\` | ${source} | ${sizeOf(text)} |`)
  const table = ['| Attached | As | Size |', '|---|---|---|', ...rows].join('\n')
  return `I was given ${plural(files.length, 'attachment')}:\n\n${table}`
}

const MOST_ROWS = 6

/** Files that can be opened from the answer, because their names are links. */
function workspaceTable(paths: readonly string[]): string {
  const known = paths.filter(path => languageOfPath(path) !== undefined).slice(0, MOST_ROWS)
  if (known.length === 0) return demoTable
  const rows = known.map(path => `| \`${path}\` | ${languageOfPath(path)} |`)
  return [
    'These files of your workspace can be opened from here:',
    ['| File | Language |', '|---|---|', ...rows].join('\n'),
  ].join('\n\n')
}

/** The images of the last question, or else how many came before it. */
function imageList(messages: readonly Message[]): string {
  const counts = messages.filter(({ role }) => role === 'user').map(message => imagesOf(message).length)
  const now = counts.at(-1) ?? 0
  const earlier = counts.slice(0, -1).reduce((sum, count) => sum + count, 0)
  if (now === 0 && earlier === 0) return ''
  return now > 0 ? `I was given ${plural(now, 'image')}.` : `I was given ${plural(earlier, 'image')} before.`
}

function toolList(messages: readonly Message[]): string {
  const lastAsked = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(lastAsked + 1).filter(({ role }) => role === 'tool')
  if (results.length === 0) return ''
  return `The tools answered:\n\n${results.map(({ text }, index) => `${index + 1}. ${sizeOf(text)}`).join('\n')}`
}

const sizeOf = (text: string) =>
  `${plural(text === '' ? 0 : text.split('\n').length, 'line')}, ${plural(Buffer.byteLength(text), 'byte')}`

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

interface Length {
  readonly count: number
  readonly of: 'lines' | 'words'
}

function lengthAskedFor(question: string): Length | undefined {
  const match = /\b(\d{1,6})\s+(line|word)s?\b/i.exec(question)
  if (match)
    return { count: Math.min(Number(match[1]), 20_000), of: match[2]?.toLowerCase() === 'line' ? 'lines' : 'words' }
  return /\blong\b/i.test(question) ? { count: 200, of: 'lines' } : undefined
}

const story = 'the quick brown fox jumps over the lazy dog while the demo model counts its words one after the other'

function longText({ count, of }: Length): string {
  const words = story.split(' ')
  if (of === 'words') return Array.from({ length: count }, (_, index) => words[index % words.length]).join(' ')
  return Array.from({ length: count }, (_, index) => `${index + 1}. Line ${index + 1} of ${count}: ${story}.`).join(
    '\n',
  )
}
