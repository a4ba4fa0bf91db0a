// `writeCommitMessage`: writes a message into the box of the editor's Git, where the user commits it.
import { commands, extensions, l10n, type Uri, window } from 'vscode'
import { sanitizeLine } from '../../base/text.ts'

/** The part of the built-in git extension's API, version 1, that is used here. */
interface GitApi {
  readonly repositories: readonly GitRepository[]
}

interface GitRepository {
  readonly rootUri: Uri
  readonly inputBox: { value: string }
  readonly state: { readonly indexChanges: readonly unknown[] }
}

/** What the user has written there is replaced only after a question. */
export async function writeCommitMessage(message: string): Promise<void> {
  const text = message.trim()
  const repositories = openRepositories()
  if (repositories.length === 0) return void window.showInformationMessage(noRepository())
  const repository = await repositoryOf(repositories)
  if (!repository || !(await mayReplace(repository.inputBox.value.trim(), text))) return
  repository.inputBox.value = text
  await commands.executeCommand('workbench.view.scm')
}

/** None while Git is switched off in the editor, as in Restricted Mode. */
function openRepositories(): readonly GitRepository[] {
  const git = extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git')
  if (!git?.isActive) return []
  try {
    return git.exports.getAPI(1).repositories
  } catch {
    return []
  }
}

/** The only one, or the only one in which something is staged; else the one that the user picks. */
async function repositoryOf(all: readonly GitRepository[]): Promise<GitRepository | undefined> {
  const staged = all.filter(({ state }) => state.indexChanges.length > 0)
  const likely = staged.length > 0 ? staged : all
  if (likely.length === 1) return likely[0]
  const items = likely.map(repository => {
    const { path } = repository.rootUri
    return { label: sanitizeLine(path.slice(path.lastIndexOf('/') + 1)), description: sanitizeLine(path), repository }
  })
  const chosen = await window.showQuickPick(items, { title: l10n.t('The message is for which repository?') })
  return chosen?.repository
}

async function mayReplace(written: string, text: string): Promise<boolean> {
  if (written === '' || written === text) return true
  const replace = l10n.t('Replace')
  const options = { modal: true, detail: sanitizeLine(written, 300) }
  return (
    (await window.showWarningMessage(l10n.t('Replace the message that you have begun?'), options, replace)) === replace
  )
}

const noRepository = () =>
  l10n.t('Git has no repository open in this editor, so there is no box for the message. Copy it instead.')
