// Reads settings from the editor; says when one changed.
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
  readonly #listening = workspace.onDidChangeConfiguration(change => {
    if (change.affectsConfiguration(SECTION)) this.#changed.fire()
  })

  readonly onDidChange: Event<void> = this.#changed.event

  /**
   * A setting of scope `application` is read from the user's own settings only. The editor promises the same, but its
   * promise has been broken before, and these settings decide where a key is sent.
   */
  get<K extends SettingKey>(key: K, scope?: ConfigurationScope): SettingValue<K> {
    if (settingsTable[key].scope === 'application') return this.own(key)
    return readSetting(key, workspace.getConfiguration(SECTION, scope).get(key))
  }

  /** What the user has set for all workspaces; for a language, where it is named and has a value of its own. */
  own<K extends SettingKey>(key: K, languageId?: string): SettingValue<K> {
    const found = workspace.getConfiguration(SECTION, languageId ? { languageId } : undefined).inspect(key)
    return readSetting(key, (languageId && found?.globalLanguageValue) ?? found?.globalValue)
  }

  /** The service's address; empty when nobody has named one yet. */
  get baseUrl(): string {
    return this.get('baseUrl') || builtInBaseUrl
  }

  /** Where requests to the model go, without a trailing slash; undefined until an address is known. */
  get service(): URL | undefined {
    const judged = judgeBaseUrl(this.baseUrl)
    return this.baseUrl && 'url' in judged ? judged.url : undefined
  }

  /**
   * For all workspaces; a setting of a window also where the workspace says otherwise, which would win. Rejects with a
   * `SettingsError` where the editor does not write it.
   */
  async set<K extends SettingKey>(key: K, value: SettingValue<K>, scope?: ConfigurationScope): Promise<void> {
    const configuration = workspace.getConfiguration(SECTION, scope)
    const isOverruled = configuration.inspect(key)?.workspaceValue !== undefined
    await written(key, async () => {
      await configuration.update(key, value, ConfigurationTarget.Global)
      if (settingsTable[key].scope === 'window' && isOverruled)
        await configuration.update(key, value, ConfigurationTarget.Workspace)
    })
  }

  /** Changes what the user has set, and what stands there for single languages, which counts in its place. */
  async change<K extends SettingKey>(key: K, changed: (value: SettingValue<K>) => SettingValue<K>): Promise<void> {
    await this.set(key, changed(this.own(key)))
    for (const languageId of workspace.getConfiguration(SECTION).inspect(key)?.languageIds ?? []) {
      const configuration = workspace.getConfiguration(SECTION, { languageId })
      const apart = configuration.inspect(key)?.globalLanguageValue
      if (apart === undefined) continue
      const value = changed(readSetting(key, apart))
      await written(key, () => configuration.update(key, value, ConfigurationTarget.Global, true))
    }
  }

  dispose(): void {
    this.#listening.dispose()
    this.#changed.dispose()
  }
}

async function written(key: SettingKey, write: () => PromiseLike<void>): Promise<void> {
  try {
    await write()
  } catch (fault) {
    throw new SettingsError(`The setting ${SECTION}.${key} could not be written`, { cause: fault })
  }
}

/** The editor's proxy and certificate settings, as values. A workspace could name a proxy that reads along. */
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
