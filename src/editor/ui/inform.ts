// Good news, and what follows from it.
import { window } from 'vscode'

/**
 * The editor cuts a notification without a button after its first line; one with a button it shows whole. So what takes
 * more than a line has one, which leads on.
 */
export async function inform(text: string, button: string, lead: () => unknown): Promise<void> {
  if ((await window.showInformationMessage(text, button)) === button) await lead()
}
