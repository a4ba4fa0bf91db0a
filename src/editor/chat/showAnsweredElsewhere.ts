// `showAnsweredElsewhere`: notifies that nothing was changed or sent, because another window answers in the chat.
import { l10n, window } from 'vscode'

export function showAnsweredElsewhere(): void {
  void window.showInformationMessage(
    l10n.t('Another window is answering in this chat. Try again when its answer has ended.'),
  )
}
