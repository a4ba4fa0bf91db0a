// `inform`: an information message with one button.
import { window } from 'vscode'

/**
 * For texts of more than one line: VS Code collapses a notification without buttons to its first line and shows one with
 * a button in full.
 */
export async function inform(text: string, button: string, run: () => unknown): Promise<void> {
  if ((await window.showInformationMessage(text, button)) === button) await run()
}
