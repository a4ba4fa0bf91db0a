// `CodeActions`: what the buttons on code blocks and on changed files do.
import { l10n, ProgressLocation, Uri, window, workspace } from 'vscode'
import { linkedAbort } from '../../base/abort.ts'
import { contentHash } from '../../base/contentHash.ts'
import type { Disposable } from '../../base/disposable.ts'
import { withoutLabel } from '../../core/edit/codeLabel.ts'
import type { CodePlacer } from '../../core/edit/modelPlacer.ts'
import { type Placement, placeCode, SURE } from '../../core/edit/placeCode.ts'
import { createdText, diffPath, type FileDiff, fileDiffs, isUnifiedDiff } from '../../core/edit/unifiedDiff.ts'
import type { ChangeFiles } from '../../core/tools/changePorts.ts'
import type { ChangeOutcome, Changes } from '../../core/tools/changes.ts'
import type { AccessPolicy } from '../../core/workspace/accessPolicy.ts'
import type { FileSearch } from '../../core/workspace/fileIndex.ts'
import type { PathResolver } from '../../core/workspace/pathResolver.ts'
import type { PromptPart } from '../../protocol/conversation.ts'
import type { ChangeMessage, CodeMessage } from '../../protocol/panel.ts'
import type { ChangeReview } from './changeReview.ts'
import { writeCommitMessage } from './commitMessage.ts'
import { editorLanguage } from './editorLanguage.ts'
import { fileLabel } from './fileLabel.ts'
import type { LastEditor } from './lastEditor.ts'
import { type Target, TargetFile } from './targetFile.ts'
import { TerminalRunner } from './terminalRunner.ts'

export interface CodeActionsOptions {
  readonly changes: Changes
  readonly files: ChangeFiles
  readonly review: ChangeReview
  readonly resolver: PathResolver
  readonly placer: CodePlacer
  readonly access: AccessPolicy
  readonly lastEditor: LastEditor
  readonly search: () => Promise<FileSearch>
}

/** The turn that the code is from: its answer, and its question with those before it, the newest first. */
export interface CodeSource {
  readonly answer: string
  readonly questions: readonly (readonly PromptPart[])[]
}

export class CodeActions implements Disposable {
  readonly #options: CodeActionsOptions
  readonly #terminal = new TerminalRunner()
  readonly #target: TargetFile

  constructor(options: CodeActionsOptions) {
    this.#options = options
    this.#target = new TargetFile({
      ...options,
      hasPlace: async ({ text, language }, target) => {
        const present = await options.files.read(target.uri)
        const placed = present.is === 'text' ? placementOf(text, language, target, present.text) : undefined
        return placed !== undefined && placed.confidence >= SURE
      },
    })
  }

  run(message: CodeMessage, source: CodeSource): Promise<void> {
    switch (message.action) {
      case 'insert':
        return this.#insert(message.text)
      case 'apply':
        return this.#apply(message, source)
      case 'new-file':
        return this.#newFile(message)
      case 'run':
        return this.#terminal.run(message.text)
      case 'commit-message':
        return writeCommitMessage(message.text)
    }
  }

  async changeFile({ conversation, action, uri, turn }: ChangeMessage): Promise<void> {
    const { review } = this.#options
    if (action === 'keep') await review.keep({ conversation, uri, turn })
    else if (action === 'undo') await review.undo({ conversation, uri, turn })
    else if (uri !== undefined) await review.openDiff({ conversation, uri })
    else await review.openAll({ conversation, turn })
  }

  dispose(): void {
    this.#terminal.dispose()
  }

  /** Takes the place of the selection in the last text editor. */
  async #insert(text: string): Promise<void> {
    const editor = await this.#options.lastEditor.show()
    if (!editor) {
      await window.showInformationMessage(l10n.t('Open a file and place the cursor where the code should go.'))
      return
    }
    const isDone = await editor.edit(change => change.replace(editor.selection, text))
    if (!isDone)
      await window.showWarningMessage(l10n.t('The code was not inserted, because the file cannot be changed.'))
  }

  /** At the path that the label names, if that is free; else without a name. */
  async #newFile(message: CodeMessage): Promise<void> {
    const target = await this.#target.labelled(message)
    const created = textOfNewFile(message)
    if (target?.isNew && created !== undefined) return this.#create({ ...message, text: created }, target)
    const language = await editorLanguage(message.language)
    const content = created ?? message.text
    const document = await workspace.openTextDocument({ content, ...(language && { language }) })
    await window.showTextDocument(document)
  }

  async #create({ conversation, turn, text }: CodeMessage, { uri, isLabelled }: Target): Promise<void> {
    const code = isLabelled ? withoutLabel(text) : text
    const request = { conversation, turn, uri, seen: null, text: code.endsWith('\n') ? code : `${code}\n` }
    const outcome = await this.#options.changes.apply(request, new AbortController().signal)
    if (outcome.is === 'changed') await window.showTextDocument(Uri.parse(uri, true))
    else await report(outcome, uri)
  }

  /** A diff may be about several files, which are changed one after the other. */
  async #apply(message: CodeMessage, source: CodeSource): Promise<void> {
    const diffs = isDiff(message) ? fileDiffs(message.text) : []
    if (diffs.length < 2) return this.#applyToOne(message, source, diffs[0])
    for (const diff of diffs) await this.#applyToOne({ ...message, text: diff.text, label: 'diff' }, source, diff)
  }

  async #applyToOne(message: CodeMessage, { answer, questions }: CodeSource, diff?: FileDiff): Promise<void> {
    const { text, label, language } = message
    if (diff?.is === 'deletion') return reportDeletion(diffPath(text))
    const place = { label, language, text, before: textBefore(answer, text), questions }
    const target = await this.#target.find(place)
    if (!target) return
    if (!target.isNew) return this.#applyTo(message, target)
    const created = textOfNewFile(message)
    if (created === undefined) return reportNoFile(target.uri)
    await this.#create({ ...message, text: created }, target)
  }

  /** A file that changes while its new text is worked out is read again once. */
  async #applyTo(message: CodeMessage, target: Target, tries = 2): Promise<void> {
    const { conversation, turn } = message
    const { uri } = target
    const present = await this.#options.files.read(uri)
    if (present.is !== 'text') return report({ is: 'refused', problem: present.is }, uri)
    const after = await this.#placed(message, target, present.text)
    if (after === undefined) return
    const request = { conversation, turn, uri, seen: await contentHash(present.text), text: after }
    const outcome = await this.#options.changes.apply(request, new AbortController().signal)
    if (outcome.is === 'stale' && tries > 1) return this.#applyTo(message, target, tries - 1)
    if (outcome.is === 'changed') await this.#options.review.openDiff({ conversation, uri })
    else await report(outcome, uri)
  }

  /** The text of the file after the change; undefined where the code has no place in it, which the user then knows. */
  async #placed({ text, language }: CodeMessage, target: Target, file: string): Promise<string | undefined> {
    const placed = placementOf(text, language, target, file)
    if (placed && placed.confidence >= SURE) return placed.text
    const { uri } = target
    const code = codeFor(text, target, file)
    const byModel = await this.#placedByModel(uri, file, code)
    if (byModel !== undefined) return byModel
    const insert = l10n.t('Insert at Cursor')
    const sentence = l10n.t('Kourier could not find the place for this code in {file}.', { file: fileLabel(uri) })
    if ((await window.showWarningMessage(sentence, insert)) === insert) await this.#insert(code)
    return undefined
  }

  /** Undefined too where the file may not be sent. Rejects where the user cancels, or with the fault of the request. */
  async #placedByModel(uri: string, file: string, code: string): Promise<string | undefined> {
    const { access, placer, resolver } = this.#options
    const found = await resolver.resolve(uri)
    const facts = { uri, language: '', path: fileLabel(uri), isInWorkspace: found.is === 'file' && found.isInWorkspace }
    if (access.refusalOf({ ...facts, size: file.length, text: file }, 'context')) return undefined
    const title = l10n.t('Finding the place for the code in {file}', { file: fileLabel(uri) })
    return window.withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      async (_, token) => {
        const abort = linkedAbort()
        const subscription = token.onCancellationRequested(() => abort.stop())
        try {
          return await placer.place(file, code, abort.signal)
        } finally {
          subscription.dispose()
          abort.unlink()
        }
      },
    )
  }
}

const isDiff = ({ text, language }: Pick<CodeMessage, 'text' | 'language'>) => isUnifiedDiff(text, language)

/** Undefined for a diff that needs a file with the lines that it changes. */
const textOfNewFile = (message: CodeMessage) => (isDiff(message) ? createdText(message.text) : message.text)

async function reportDeletion(path: string | undefined): Promise<void> {
  const file = path ?? '…'
  await window.showWarningMessage(
    l10n.t('This diff deletes {file}. Kourier deletes no file by a code block; delete it yourself.', { file }),
  )
}

async function reportNoFile(uri: string): Promise<void> {
  const file = fileLabel(uri)
  await window.showWarningMessage(
    l10n.t('Nothing was changed, because there is no file {file} with the lines that this diff changes.', { file }),
  )
}

function placementOf(text: string, language: string, target: Target, file: string): Placement | undefined {
  const documentLanguage = workspace.textDocuments.find(one => one.uri.toString() === target.uri)?.languageId
  const isNamedDiff = /^(?:diff|patch)$/i.test(language)
  return placeCode(file, codeFor(text, target, file), isNamedDiff ? language : (documentLanguage ?? language))
}

/** Without the line that is only the label, unless the file begins with it. */
function codeFor(text: string, { isLabelled }: Target, file: string): string {
  const isInFile = isLabelled && file.split('\n', 1)[0] === text.split('\n', 1)[0]
  return isLabelled && !isInFile ? withoutLabel(text) : text
}

/** The text of the answer before the block; empty where the block is written differently, such as in a list. */
function textBefore(answer: string, text: string): string {
  const at = answer.indexOf(text)
  return at < 0
    ? ''
    : answer
        .slice(0, at)
        .replace(/[^\n]*\n?$/, '')
        .trimEnd()
        .replace(/\n?[ \t]*(?:`{3,}|~{3,})[^\n]*$/, '')
}

async function report(outcome: ChangeOutcome, uri: string): Promise<void> {
  const file = fileLabel(uri)
  switch (outcome.is) {
    case 'changed':
    case 'declined':
      return
    case 'unchanged':
      await window.showInformationMessage(l10n.t('{file} has this code already.', { file }))
      return
    case 'stale':
      await window.showWarningMessage(
        l10n.t('{file} was not changed, because it was edited in the meantime. Try again.', { file }),
      )
      return
    case 'not encodable':
      await window.showWarningMessage(
        l10n.t('{file} was not changed, because its encoding does not have all characters of the code.', { file }),
      )
      return
    case 'failed':
    case 'unapproved':
      await window.showWarningMessage(
        l10n.t('{file} was not changed, because the editor could not write it.', { file }),
      )
      return
    case 'refused':
      await window.showWarningMessage(refusalText(outcome.problem, file))
  }
}

function refusalText(problem: Extract<ChangeOutcome, { is: 'refused' }>['problem'], file: string): string {
  switch (problem) {
    case 'missing':
      return l10n.t('{file} is not there any more.', { file })
    case 'no text':
    case 'no file':
      return l10n.t('{file} was not changed, because it is not a text file or is too large.', { file })
    case 'read-only':
      return l10n.t('{file} was not changed, because it is read-only.', { file })
    case 'exists':
      return l10n.t('{file} was not created, because a file with that name already exists.', { file })
    case 'unreadable':
      return l10n.t('{file} was not changed, because its path cannot be read.', { file })
    default:
      return l10n.t('{file} was not changed, because Kourier does not write to this path.', { file })
  }
}
