// `KeyQuestion`: asks the user before a message that contains a key is sent or kept.
import { l10n, window } from 'vscode'
import { otherKeysIn, withoutOtherKeys } from '../../base/otherKeys.ts'
import type { KeyText } from '../../core/log/keyText.ts'

/** A key of the service is never sent; one of another service only where the user wants it, and then without asking again. */
export class KeyQuestion {
  readonly #keys: KeyText
  /** The keys that may be sent. */
  readonly #allowed = new Set<string>()

  constructor(keys: KeyText) {
    this.#keys = keys
  }

  /** The text to send; undefined where the user cancels. */
  async ask(text: string): Promise<string | undefined> {
    const own = await this.#askOwn(text)
    return own === undefined ? undefined : await this.#askOther(own)
  }

  async #askOwn(text: string): Promise<string | undefined> {
    if (!this.#keys.isIn(text)) return text
    const detail = l10n.t(
      'Whoever has the key can use your plan, so Kourier sends no key to the model and keeps none in a chat. If somebody else may have seen it, revoke it on the dashboard under API Keys.',
    )
    const sendWithout = l10n.t('Send Without the Key')
    const question = l10n.t('This message holds an API key.')
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, sendWithout)
    return chosen === sendWithout ? this.#keys.without(text) : undefined
  }

  async #askOther(text: string): Promise<string | undefined> {
    const found = otherKeysIn(text).filter(({ text: key }) => !this.#allowed.has(key))
    const [first] = found
    if (!first) return text
    const question =
      first.owner === ''
        ? l10n.t('This message seems to hold a private key.')
        : l10n.t('This message seems to hold a key of {service}.', { service: first.owner })
    const detail = l10n.t(
      'With it, somebody else could act in your name. The model does not need it to answer. If you send it, it is also kept in this chat.',
    )
    const sendWithout = l10n.t('Send Without the Key')
    const sendAll = l10n.t('Send as It Is')
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, sendWithout, sendAll)
    if (chosen === sendWithout) return withoutOtherKeys(text)
    if (chosen !== sendAll) return undefined
    for (const { text: key } of found) this.#allowed.add(key)
    return text
  }
}
