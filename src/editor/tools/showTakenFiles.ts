// `showTakenFiles`: shows which protected files were taken away after a command in the sandbox, and puts them back.
import { l10n, window } from 'vscode'
import { sanitizeLine } from '../../base/text.ts'
import type { TakenFile } from '../../core/tools/commandPorts.ts'
import { listed } from '../ui/listed.ts'

/** `putBack` resolves with false where something else is in the place of the file. */
export async function showTakenFiles(
  files: readonly TakenFile[],
  putBack: (file: TakenFile) => Promise<boolean>,
): Promise<void> {
  const names = (some: readonly TakenFile[]) =>
    listed(
      some.map(({ name }) => sanitizeLine(name)),
      'unit',
    )
  const button = l10n.t('Put Back')
  const text = l10n.t(
    'A command in the sandbox has made protected files, and they were taken away. Put them back only if you know that they are yours: {files}',
    { files: names(files) },
  )
  if ((await window.showWarningMessage(text, button)) !== button) return
  const areBack = await Promise.all(files.map(putBack))
  const left = files.filter((_, at) => !areBack[at])
  if (left.length === 0) return
  void window.showErrorMessage(
    l10n.t('Some files could not be put back, because others have their names now: {files}', { files: names(left) }),
  )
}
