// `FileChanges`: what the tools that change files have in common: judged, shown, asked about, carried out, reported.

import { throwIfAborted } from '../../base/abort.ts'
import { contentHash } from '../../base/contentHash.ts'
import type { CallConcern, CallPreview } from '../../protocol/conversation.ts'
import { lineDiff } from '../workspace/lineDiff.ts'
import { diffLines, lineCount, linesOf } from '../workspace/lineHunks.ts'
import { modelText } from '../workspace/modelText.ts'
import { shownText } from '../workspace/notebookText.ts'
import type { ChangeFiles, NoText, PresentText } from './changePorts.ts'
import type { ChangeOutcome, Changes } from './changes.ts'
import { changeText } from './matchRefusal.ts'
import { numberedLines } from './numberedLines.ts'
import type { PlannedChanges } from './plannedChanges.ts'
import { revisionOf } from './readFileTool.ts'
import type { SeenFiles } from './seenFiles.ts'
import type { CallContext, PreparedCall, ToolContext, ToolOutput } from './tool.ts'
import { errorOutput } from './toolOutput.ts'
import { binaryText, count, quoted, type ToolFile, type ToolPaths } from './toolPaths.ts'
import type { WriteConcern, WriteGuard } from './writeGuard.ts'

/** What the languages of the editor report about a file, each as one line. */
export interface FileProblems {
  of(uri: string): readonly string[]
  /** Those that were not there before, waited for at most 2 s. */
  newSince(uri: string, before: readonly string[], signal: AbortSignal): Promise<readonly string[]>
}

export interface FileChangePorts {
  readonly paths: ToolPaths
  readonly files: ChangeFiles
  readonly seen: SeenFiles
  readonly changes: Changes
  readonly guard: WriteGuard
  /** One for all tools. */
  readonly planned: PlannedChanges
  readonly problems?: FileProblems
}

/** A file as a call finds it. */
export interface KnownFile {
  readonly file: ToolFile
  /** Null where there is none. */
  readonly text: string | null
  readonly isUnsaved: boolean
  /** What the model has seen; undefined for nothing. Null where an earlier call of the answer makes the text. */
  readonly seen: string | null | undefined
  /** All lines of it, and not only some. */
  readonly isSeenWhole: boolean
  /** The model may be shown the text without a question, or has been shown exactly this. */
  readonly mayShow: boolean
  readonly isIgnored: boolean
  readonly readConcerns: readonly CallConcern[]
}

/** What a call would do. `notes`: for its result, about how it was found. */
export interface Proposal {
  readonly is: 'proposed'
  readonly known: KnownFile
  /** Null for no file; the text before, for a new name. */
  readonly after: string | null
  readonly to?: ToolFile
  readonly notes: readonly string[]
}

export type Proposed =
  | Proposal
  | { readonly is: 'refused'; readonly output: string }
  | { readonly is: 'answered'; readonly output: ToolOutput }

/** `isPlanned`: what earlier calls of the answer will have done counts as done. */
export type Propose = (context: CallContext, isPlanned: boolean, signal: AbortSignal) => Promise<Proposed>

export type Found = ({ readonly is: 'known' } & KnownFile) | { readonly is: 'refused'; readonly output: string }

const MOST_PREVIEW_LINES = 400
const MOST_PROBLEMS = 5
/** How often a call is worked out anew because the file changes at that moment. */
const TRIES = 3
const HEAD_LINES = 40

export class FileChanges {
  readonly #ports: FileChangePorts

  constructor(ports: FileChangePorts) {
    this.#ports = ports
  }

  prepare(propose: Propose, context: CallContext, signal: AbortSignal): Promise<PreparedCall> {
    const { planned } = this.#ports
    return planned.inOrder(async () => {
      throwIfAborted(signal)
      const proposal = await propose(context, true, signal)
      if (proposal.is !== 'proposed') return proposal
      const verdict = await this.#verdictOf(proposal, planned.urisOf(context))
      if (verdict.is === 'refused') return verdict
      const { known, to, after } = proposal
      planned.add(context, known.file.uri, to ? null : after)
      if (to) planned.add(context, to.uri, after)
      const { concerns } = verdict
      const mayRemember = concerns.length === 0 && !to && after !== null
      const touched = [known.file, ...(to ? [to] : [])].map(({ uri, path }) => ({ uri, path }))
      return {
        is: 'ready',
        concerns,
        preview: previewOf(proposal),
        changes: touched,
        ...(!to && { proposed: proposedOf(proposal) }),
        boundTo: await boundTo(proposal, concerns),
        ...(mayRemember && { remembered: `file:${known.file.uri}` }),
      }
    })
  }

  async run(propose: Propose, context: ToolContext, signal: AbortSignal, tries = TRIES): Promise<ToolOutput> {
    throwIfAborted(signal)
    this.#ports.planned.begin(context)
    const proposal = await propose(context, false, signal)
    if (proposal.is === 'refused') return errorOutput(proposal.output)
    if (proposal.is === 'answered') return proposal.output
    const verdict = await this.#verdictOf(proposal)
    if (verdict.is === 'refused') return errorOutput(verdict.output)
    const { concerns, approved } = verdict
    const isAsked = context.approved
    if (isAsked ? context.boundTo !== (await boundTo(proposal, concerns)) : concerns.length > 0) return outdated
    const { known } = proposal
    const { uri } = known.file
    const isUnsaved = this.#ports.planned.hasLater(context, uri)
    const problems = this.#ports.problems?.of(uri) ?? []
    const outcome = await this.#apply(proposal, approved, isUnsaved, context, signal)
    if (outcome.is === 'unapproved') return outdated
    if (outcome.is === 'stale') {
      if (isAsked) return outdated
      return tries > 1 ? this.run(propose, context, signal, tries - 1) : errorOutput(busyText(known.file.path))
    }
    if (outcome.is !== 'changed' && outcome.is !== 'unchanged')
      return errorOutput(failureText(known.file.path, outcome))
    this.#ports.planned.markUnsaved(context, uri, isUnsaved)
    return this.#report(proposal, outcome, { context, signal, problems })
  }

  /** Saves what was left unsaved for a call that then did not come. */
  async finish(conversation: string): Promise<void> {
    for (const uri of this.#ports.planned.finish(conversation)) await this.#ports.changes.save(uri)
  }

  /** The file that a call names, with what the model knows of it. `text` is null where there is none. */
  async find(written: string, context: CallContext, isPlanned: boolean, signal: AbortSignal): Promise<Found> {
    const { paths, files, planned, seen } = this.#ports
    const located = await paths.locate(written, signal)
    if (located.is === 'refused') return located
    const { uri } = located
    const soon = isPlanned ? planned.textOf(context, uri) : undefined
    const present = await files.read(uri)
    if (present.is !== 'text' && present.is !== 'missing' && !soon) return refusal(unwritable(located, present.is))
    const text = soon ? soon.text : textOf(present)
    const verdict = await paths.judge(located, text ?? '', signal)
    if (verdict.refusal !== undefined) return refusal(verdict.refusal)
    const known = await seen.of(context.conversation, uri)
    const readConcerns = verdict.concerns.filter(({ is }) => is !== 'ignored')
    return {
      is: 'known',
      file: located,
      text,
      isUnsaved: present.is === 'text' && present.isUnsaved === true,
      seen: soon ? null : known?.text,
      isSeenWhole: soon !== undefined || known?.isWhole === true,
      // What was read after a question is not shown as it is now without another one.
      mayShow: verdict.concerns.length === 0 || known?.text === text,
      isIgnored: verdict.concerns.some(({ is }) => is === 'ignored'),
      readConcerns,
    }
  }

  /** For a call that needs a file. */
  async missing({ file }: KnownFile, signal: AbortSignal): Promise<Proposed> {
    return refusal(await this.#ports.paths.missingText(file.path, signal))
  }

  /**
   * For a call that concerns the whole file: why the model must first look at it, with what it would see; undefined where
   * it has.
   */
  async unseen(known: KnownFile, context: CallContext, instead: string): Promise<Proposed | undefined> {
    const { file, text: present, seen, mayShow } = known
    const shown = quoted(file.path)
    if (present === null || seen === null || seen === present) return undefined
    const text = shownText(file.path, present)
    if (!mayShow) {
      const state = seen === undefined ? 'was not read' : 'has changed since it was read'
      return refusal(
        `${shown} ${state} in this chat. The user is asked before it is, so nothing of it is shown here. Read it with read_file first.`,
      )
    }
    if (seen !== undefined) {
      const { text: diff, isCut } = changeText(shownText(file.path, seen), text)
      if (!isCut) await this.note(known, context)
      const next = isCut ? `Read it again${instead}.` : 'Take that into account and call again.'
      return refusal(`${shown} has changed since you read it. The differences are:\n${diff}\n${next}`)
    }
    const lines = linesOf(text)
    const head = lines.slice(0, HEAD_LINES).map(line => modelText(line).text)
    const isWhole = lines.length <= HEAD_LINES && lines.every(line => line.length < 2_000)
    if (isWhole) await this.#ports.seen.note(context.conversation, file.uri, present)
    const size = `${count(lines.length)} lines and ${count(text.length)} characters`
    const next = isWhole ? 'That is all of it. Call again if you still want this.' : `Read it first${instead}.`
    return refusal(
      `${shown} was not read in this chat. It has ${size}, and begins:\n${numberedLines(head, 1)}\n${next}`,
    )
  }

  /** For a call that writes a whole file: why the model must first read the rest of it; undefined where it has. */
  partlyUnseen({ file, text, seen, isSeenWhole }: KnownFile): Proposed | undefined {
    if (text === null || seen !== text || isSeenWhole) return undefined
    const lines = count(linesOf(shownText(file.path, text)).length)
    return refusal(
      `${quoted(file.path)} was not written, because only a part of it was read. It has ${lines} lines, and those that were not read would be lost. ` +
        'Read the rest first, or change a part of it with edit_file.',
    )
  }

  /** The model has been shown what is different in the present text. */
  async note({ file, text }: KnownFile, { conversation }: CallContext): Promise<void> {
    if (text !== null) await this.#ports.seen.noteChanged(conversation, file.uri, text)
  }

  async #verdictOf({ known, after, to }: Proposal, planned: readonly string[] = []) {
    const { guard } = this.#ports
    const { file, text, readConcerns } = known
    const verdicts = [await guard.judge(file.uri, text ?? '', after ?? '', planned)]
    if (to) verdicts.push(await guard.judge(to.uri, '', '', planned))
    const approved: WriteConcern[] = []
    for (const verdict of verdicts) {
      if (verdict.is === 'refused') return { is: 'refused', output: notWritten(file.path) } as const
      approved.push(...verdict.concerns)
    }
    const secret = readConcerns.filter(({ is }) => is === 'secret')
    const unique = new Map([...approved, ...secret].map(one => [JSON.stringify(one), one as CallConcern]))
    return { is: 'allowed', approved, concerns: [...unique.values()] } as const
  }

  async #apply(
    { known, after, to }: Proposal,
    approved: readonly WriteConcern[],
    isUnsaved: boolean,
    { conversation, turn }: ToolContext,
    signal: AbortSignal,
  ): Promise<ChangeOutcome> {
    const { changes } = this.#ports
    const { file, text } = known
    const about = { conversation, turn, uri: file.uri, approved }
    if (to) return changes.apply({ ...about, to: to.uri }, signal)
    const seen = text === null ? null : await contentHash(text)
    return changes.apply({ ...about, seen, text: after, isUnsaved }, signal)
  }

  async #report(
    proposal: Proposal,
    outcome: Extract<ChangeOutcome, { is: 'changed' | 'unchanged' }>,
    { context, signal, problems }: { context: ToolContext; signal: AbortSignal; problems: readonly string[] },
  ): Promise<ToolOutput> {
    const { known, after, to, notes } = proposal
    const { uri, path } = known.file
    const { seen } = this.#ports
    const { conversation } = context
    const present = outcome.is === 'changed' ? outcome.present : undefined
    if (to) await seen.move(conversation, uri, to.uri)
    else if (after === null) await seen.forget(conversation, uri)
    const shown = (one: string) => shownText(path, one)
    const isFormatted = after !== null && present && present.text !== after
    const formatted = isFormatted ? changeText(shown(after), shown(present.text)) : undefined
    const text = formatted && !formatted.isCut ? (present?.text ?? after) : after
    if (text !== null && known.text === null) await seen.note(conversation, uri, text)
    else if (text !== null) await seen.noteChanged(conversation, to?.uri ?? uri, text)
    const lines = [
      await headOf(proposal, present?.text ?? after),
      ...notes,
      known.isIgnored && 'Git ignores this file.',
      known.isUnsaved &&
        after !== null &&
        'It is changed in the editor and not saved, because the user has unsaved changes in it.',
      outcome.is === 'changed' &&
        outcome.isNotSaved &&
        'It is changed in the editor, which could not save it. Programs still read what was there before; tell the user.',
      formatted && `When it was saved, the editor changed it:\n${formatted.text}`,
      ...(after === null || to ? [] : await this.#problemLines(uri, problems, signal)),
    ]
    const { addedLines, removedLines } = countsOf(shown(known.text ?? ''), shown((to ? known.text : after) ?? ''))
    const file = { uri: to?.uri ?? uri, path: to?.path ?? path, addedLines, removedLines }
    return { content: [{ kind: 'text', text: lines.filter(Boolean).join('\n') }], details: { files: [file] } }
  }

  async #problemLines(uri: string, before: readonly string[], signal: AbortSignal): Promise<string[]> {
    const found = (await this.#ports.problems?.newSince(uri, before, signal)) ?? []
    if (found.length === 0) return []
    const more = found.length > MOST_PROBLEMS ? [`${found.length - MOST_PROBLEMS} more`] : []
    return ['New problems in this file:', ...found.slice(0, MOST_PROBLEMS).map(line => modelText(line).text), ...more]
  }
}

export const refusal = (output: string) => ({ is: 'refused', output }) as const

const outdated: ToolOutput = { content: [], isOutdated: true }

const textOf = (present: PresentText | NoText) => (present.is === 'text' ? present.text : null)

/** What the approval of the user holds for: this file with this text, and everything that was asked about. */
async function boundTo({ known, to }: Proposal, concerns: readonly CallConcern[]): Promise<string> {
  const { file, text } = known
  const target = [file.uri, file.resolved.path, to?.uri ?? null, to?.resolved.path ?? null]
  return contentHash(JSON.stringify([target, text === null ? null : await contentHash(text), concerns]))
}

/** A notebook is shown as the text that the model edits. */
function proposedOf({ known: { file, text }, after }: Proposal) {
  const [from, to] = [text, after].map(one => shownText(file.path, one ?? ''))
  return { uri: file.uri, text: to ?? '', ...(from !== (text ?? '') && { before: from ?? '' }) }
}

function previewOf({ known, after, to }: Proposal): CallPreview {
  const { file } = known
  const [text, fresh] = [known.text, after].map(one => shownText(file.path, one ?? ''))
  const diff = to ? '' : lineDiff(text ?? '', fresh ?? '')
  const lines = diff === '' ? [] : diff.replace(/\n$/, '').split('\n')
  const counts = to ? { addedLines: 0, removedLines: 0 } : countsOf(text ?? '', fresh ?? '')
  const isCut = lines.length > MOST_PREVIEW_LINES
  return {
    kind: 'change',
    files: [
      {
        uri: file.uri,
        path: file.path,
        change: kindOf(known, after, to),
        ...(to && { renamedTo: to.path }),
        ...counts,
        lines: isCut ? lines.slice(0, MOST_PREVIEW_LINES) : lines,
        ...(isCut && { isCut }),
      },
    ],
  }
}

function kindOf({ text }: KnownFile, after: string | null, to: ToolFile | undefined) {
  if (to) return 'renamed'
  if (text === null) return 'created'
  return after === null ? 'deleted' : 'modified'
}

function countsOf(before: string, after: string) {
  let [addedLines, removedLines] = [0, 0]
  for (const hunk of diffLines(before, after)) {
    addedLines += lineCount(after.slice(hunk.after.start, hunk.after.end))
    removedLines += lineCount(before.slice(hunk.before.start, hunk.before.end))
  }
  return { addedLines, removedLines }
}

async function headOf({ known, after, to }: Proposal, now: string | null): Promise<string> {
  const { file, text } = known
  if (to) return `Moved ${file.path} to ${to.path}.`
  if (after === null) return `Deleted ${file.path}.`
  const revision = `revision ${revisionOf(await contentHash(now ?? after))}.`
  const fresh = shownText(file.path, after)
  if (text === null) return `Created ${file.path}: ${count(lineCount(fresh))} lines. ${revision}`
  return `Edited ${file.path}: ${changedLines(shownText(file.path, text), fresh)}. ${revision}`
}

/** `lines 41 to 44, 90`, in the text after the change. */
export function changedLines(before: string, after: string): string {
  const numberAt = (offset: number) => after.slice(0, offset).split('\n').length
  const parts = diffLines(before, after).map(({ after: { start, end } }) => {
    const [from, to] = [numberAt(start), numberAt(Math.max(start, end - 1))]
    if (start === end) return `lines deleted before ${from}`
    return from === to ? `${from}` : `${from} to ${to}`
  })
  const list = parts.join(', ')
  if (/^\d+$/.test(list)) return `line ${list}`
  return /^\d/.test(list) ? `lines ${list}` : list
}

function unwritable({ path, found }: ToolFile, problem: Exclude<NoText['is'], 'missing'>): string {
  const shown = quoted(path)
  if (problem === 'read-only') {
    return `${shown} is read-only. It was not changed, and no call of a tool can change that. Tell the user, or go on without it.`
  }
  if (problem === 'unsaved notebook') {
    return `${shown} has changes in the editor that are not saved. A notebook is only changed in its file, and they would be lost. Ask the user to save it.`
  }
  const size = found?.size ?? 0
  if (size > 5_000_000) {
    return `${shown} is too large to be edited. It has ${count(size)} bytes; the limit is 5,000,000. Use a command that changes a part of it.`
  }
  if (/\.(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|exe|dll|so|woff2?)$/i.test(path)) return binaryText(path, size)
  return (
    `${shown} cannot be edited as text. It is binary, has a line of more than a million characters, or bytes that its encoding does not have. ` +
    'Use a command that understands this kind of file.'
  )
}

const notWritten = (path: string) =>
  `${quoted(path)} is not written. Its path leads to a device, through a broken link, or to something that is no file. Use another path.`

/** Why a text is not that of a notebook, for the model. */
export const cellsText = (path: string, why: string) =>
  `${quoted(path)} was not changed, because ${why}. A notebook is read and written as its cells, each after a line such as "%% cell 3 code". ` +
  'Keep these lines as they are; add a line "%% cell code" or "%% cell markdown" with its text for a new cell, or take one out with its text.'

const busyText = (path: string) =>
  `${quoted(path)} was not changed. It was changed by somebody else at every try. Read it again and call again.`

function failureText(
  path: string,
  outcome: Exclude<ChangeOutcome, { is: 'changed' | 'unchanged' | 'stale' | 'unapproved' }>,
): string {
  const shown = quoted(path)
  switch (outcome.is) {
    case 'declined':
      return `${shown} was not changed. The user declined. Do not try it another way.`
    case 'not encodable':
      return `${shown} was not changed. Its encoding does not have all characters of the new text. Write the text without them.`
    case 'failed':
      return `${shown} was not changed. The editor or the system could not write it. Tell the user, or go on without it.`
    case 'refused':
      return outcome.problem === 'exists'
        ? `${shown} was not moved. There is a file with the new name already. Use another name.`
        : `${shown} was not changed. It is ${outcome.problem === 'read-only' ? 'read-only or locked by another program' : 'no file that can be written'}. Tell the user, or go on without it.`
  }
}
