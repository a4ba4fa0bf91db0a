// `completionSilence`: why no completion comes in the editor in front.
import { window, workspace } from 'vscode'
import { isEnabledFor } from '../core/complete/completionSettings.ts'
import { type FrontDocument, type Silence, silenceOf } from '../core/complete/silence.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { isShownInline } from '../editor/complete/isShownInline.ts'
import { otherCompletions } from '../editor/complete/otherCompletions.ts'
import type { Services } from './services.ts'

export function completionSilence(services: Services): Silence | undefined {
  const { account, selection, settings, snooze, completionOutcome, thinking } = services
  const document = window.activeTextEditor?.document
  const language = document?.languageId ?? '*'
  const applied = document
    ? completionSettings({ id: document.uri.toString(), language })
    : { enabled: settings.userValue('completions.enabled'), mode: settings.get('completions.mode') }
  const offFor = applied.enabled['*'] === false ? '*' : language
  return silenceOf({
    isSignedIn: account.state.is === 'in',
    isModelMissing: selection.isMissing,
    isModelThinking: selection.completionModel !== undefined && thinking.isUnstoppable(selection.completionModel),
    isTrusted: workspace.isTrusted,
    mode: applied.mode,
    offFor: isEnabledFor(language, applied) ? undefined : offFor,
    isInlineOff: document !== undefined && !isShownInline(document),
    document: frontDocument(services),
    snoozedUntil: snooze.until,
    outcome: completionOutcome.current,
    otherExtension: otherCompletions(),
  })
}

/** Undefined also for a document of a kind that is never completed. */
function frontDocument({ access, editorDocuments }: Services): FrontDocument | undefined {
  const editor = window.activeTextEditor
  const known = editor && editorDocuments.factsOf(editor.document)
  if (!known) return undefined
  const { document, selection, selections } = editor
  return {
    refusal: access.refusalOf(known, 'completion'),
    isLineTooLong: editorDocuments.isLineTooLong(document, selection.active.line),
    cursors: selections.length,
  }
}

/** What of the cursors decides, so that most of their moves need no new look. */
export function cursorKey({ editorDocuments }: Services): string {
  const editor = window.activeTextEditor
  if (!editor) return ''
  const isLong = editorDocuments.isLineTooLong(editor.document, editor.selection.active.line)
  return `${editor.selections.length > 1} ${isLong}`
}
