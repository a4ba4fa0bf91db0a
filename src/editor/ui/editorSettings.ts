// `EditorSettings`: reads and writes this extension's settings and reports their changes; `editorProxy`.
import { type ConfigurationScope, ConfigurationTarget, workspace } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import { Emitter, type Event } from '../../base/event.ts'
import { judgeBaseUrl } from '../../core/account/address.ts'
import type { ProxySettings } from '../../core/http/proxy.ts'
import { readSetting, type SettingKey, SettingsError, type SettingValue, settingsTable } from '../../core/settings.ts'

const SECTION = 'kourier'

/** The address of the service that the package was built for; empty when the first sign-in asks. */
const builtInBaseUrl: string = process.env['KOURIER_BASE_URL'] ?? ''

export class EditorSettings implements Disposable {
  readonly #changed = new Emitter<void>()
  readonly #subscription = workspace.onDidChangeConfiguration(change => {
    if (!change.affectsConfiguration(SECTION)) return
    this.#service = undefined
    this.#changed.fire()
  })
  /** Kept until a setting changes, because everything that is shown asks for it, and the editor is slow to answer. */
  #service: { readonly url: URL | undefined } | undefined

  readonly onDidChange: Event<void> = this.#changed.event

  /**
   * A setting of scope `application` is read from the user's settings only, even if the editor should return a
   * workspace's value, because these settings decide where a key is sent.
   */
  get<K extends SettingKey>(key: K, scope?: ConfigurationScope): SettingValue<K> {
    if (settingsTable[key].scope === 'application') return this.userValue(key)
    return readSetting(key, workspace.getConfiguration(SECTION, scope).get(key))
  }

  /** The user's value for all workspaces; the one for the language, where a language is given that has one. */
  userValue<K extends SettingKey>(key: K, languageId?: string): SettingValue<K> {
    const found = workspace.getConfiguration(SECTION, languageId ? { languageId } : undefined).inspect(key)
    return readSetting(key, (languageId && found?.globalLanguageValue) ?? found?.globalValue)
  }

  /** A workspace only switches off what the user has switched on, because by this its own files reach the model. */
  isOn(key: 'chat.instructionFiles', scope?: ConfigurationScope): boolean {
    return this.userValue(key) && this.get(key, scope)
  }

  /** The service's address; empty where none is set or built in. */
  get baseUrl(): string {
    return this.get('baseUrl') || builtInBaseUrl
  }

  /** The base URL of the service, without a trailing slash; undefined until there is a valid address. */
  get service(): URL | undefined {
    this.#service ??= { url: urlOf(this.baseUrl) }
    return this.#service.url
  }

  /**
   * Sets the user's value; of a setting with the scope `window` also the workspace's, where it has one, because that one
   * takes precedence. Rejects with a `SettingsError` if the editor cannot write it.
   */
  async set<K extends SettingKey>(key: K, value: SettingValue<K>, scope?: ConfigurationScope): Promise<void> {
    const configuration = workspace.getConfiguration(SECTION, scope)
    const isOverridden = configuration.inspect(key)?.workspaceValue !== undefined
    await orSettingsError(key, async () => {
      await configuration.update(key, value, ConfigurationTarget.Global)
      if (settingsTable[key].scope === 'window' && isOverridden)
        await configuration.update(key, value, ConfigurationTarget.Workspace)
    })
  }

  /** Changes the user's value, and those for single languages, because they take precedence. */
  async updateAll<K extends SettingKey>(key: K, changed: (value: SettingValue<K>) => SettingValue<K>): Promise<void> {
    await this.set(key, changed(this.userValue(key)))
    for (const languageId of workspace.getConfiguration(SECTION).inspect(key)?.languageIds ?? []) {
      const configuration = workspace.getConfiguration(SECTION, { languageId })
      const languageValue = configuration.inspect(key)?.globalLanguageValue
      if (languageValue === undefined) continue
      const value = changed(readSetting(key, languageValue))
      await orSettingsError(key, () => configuration.update(key, value, ConfigurationTarget.Global, true))
    }
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#changed.dispose()
  }
}

function urlOf(baseUrl: string): URL | undefined {
  const result = judgeBaseUrl(baseUrl)
  return baseUrl && 'url' in result ? result.url : undefined
}

async function orSettingsError(key: SettingKey, write: () => PromiseLike<void>): Promise<void> {
  try {
    await write()
  } catch (fault) {
    throw new SettingsError(`The setting ${SECTION}.${key} could not be written`, { cause: fault })
  }
}

/** The editor's proxy and certificate settings. A workspace's values are ignored, because its proxy could intercept. */
export function editorProxy(): ProxySettings {
  const configuration = workspace.getConfiguration('http')
  const read = <T>(key: string, fallback: T): T => {
    const found = configuration.inspect<T>(key)
    return found?.globalValue ?? found?.defaultValue ?? fallback
  }
  return {
    url: read('proxy', ''),
    authorization: read<string | null>('proxyAuthorization', null) ?? undefined,
    except: read<string[]>('noProxy', []),
    isOff: read<string>('proxySupport', 'override') === 'off',
    strictTls: read('proxyStrictSSL', true),
    systemCertificates: read('systemCertificates', true),
  }
}
