// `createServices`: makes the owners that features share, each after those that it depends on.
import { type ExtensionContext, l10n, Uri, version, workspace } from 'vscode'
import { type Clock, systemClock } from '../base/clock.ts'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { Emitter } from '../base/event.ts'
import { lazy } from '../base/lazy.ts'
import { Account } from '../core/account/account.ts'
import { plainAddress } from '../core/account/address.ts'
import { ENVIRONMENT_NAME, type EnvironmentKey } from '../core/account/environmentKey.ts'
import { SecretCredentialStore } from '../core/account/secretCredentialStore.ts'
import { SharedCredentialStore } from '../core/account/sharedCredentialStore.ts'
import { SignIn } from '../core/account/signIn.ts'
import { SignInMemory } from '../core/account/signInMemory.ts'
import { LastOutcome } from '../core/complete/lastOutcome.ts'
import type { ModelMemory } from '../core/complete/modelMemory.ts'
import { Snooze } from '../core/complete/snooze.ts'
import { ThinkingSwitch } from '../core/complete/thinkingSwitch.ts'
import type { UsageRecorder } from '../core/complete/usageRecorder.ts'
import type { ModelWindow } from '../core/context/fittingRepository.ts'
import { bearer } from '../core/http/bearer.ts'
import type { Connect, Http } from '../core/http/http.ts'
import { layered, logged, retried, userAgent } from '../core/http/layers.ts'
import { routeOf } from '../core/http/proxy.ts'
import { KeyText } from '../core/log/keyText.ts'
import { Log } from '../core/log/log.ts'
import { RecentFaults } from '../core/log/recentFaults.ts'
import { Catalog } from '../core/model/catalog.ts'
import { LazyClient } from '../core/model/lazyClient.ts'
import type { ModelRequest } from '../core/model/modelClient.ts'
import { QueuedClient } from '../core/model/queuedClient.ts'
import type { TokenCounter } from '../core/model/tokenCounter.ts'
import { Waits } from '../core/model/waits.ts'
import { Scheduler } from '../core/schedule/scheduler.ts'
import type { Slots } from '../core/schedule/slots.ts'
import { AccessPolicy } from '../core/workspace/accessPolicy.ts'
import type { DocumentSnapshot } from '../core/workspace/documentSnapshot.ts'
import { Documents } from '../core/workspace/documents.ts'
import { isBrowserHere } from '../editor/account/browserHere.ts'
import { editorSignInUi } from '../editor/account/editorSignInUi.ts'
import { rememberedEnvironmentKey } from '../editor/account/environmentKey.ts'
import { rememberedServers } from '../editor/account/knownServers.ts'
import { openDashboard } from '../editor/account/openDashboard.ts'
import { warnOfOpenStorage } from '../editor/account/openStorage.ts'
import { SignInView } from '../editor/account/signInView.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import type { EditorContext } from '../editor/context/editorContext.ts'
import { ModelSelection } from '../editor/models/modelSelection.ts'
import { type ListOwner, recallModels } from '../editor/models/rememberedModels.ts'
import { rememberedTraits } from '../editor/models/rememberedTraits.ts'
import { EditorSettings, editorProxy } from '../editor/ui/editorSettings.ts'
import type { Names } from '../editor/ui/faultSentence.ts'
import { showFault } from '../editor/ui/notices.ts'
import { OutputSink } from '../editor/ui/outputSink.ts'
import { serviceNameOf } from '../editor/ui/signInText.ts'
import { EditorDocuments } from '../editor/workspace/editorDocuments.ts'
import { ExcludedGlobs } from '../editor/workspace/excludedGlobs.ts'
import { AttemptFiles } from '../node/account/attemptFiles.ts'
import { FileHeartbeat } from '../node/account/fileHeartbeat.ts'
import { SignInFile } from '../node/account/signInFile.ts'
import { thisMachine } from '../node/account/thisMachine.ts'
import { SnoozeFile } from '../node/snoozeFile.ts'
import { systemProcesses } from '../node/systemProcesses.ts'
import { type Agent, createAgent } from './agent.ts'
import { type ChangeOwners, createChanges } from './changeServices.ts'
import { createContext, createWorkspaceGit, type WorkspaceGit } from './context.ts'
import { type Conversations, createConversations } from './conversations.ts'

/** Disposing ends everything but what stores or revokes a key on its way and what writes the chat: `end` does that. */
export interface Services
  extends Base,
    Identity,
    Requests,
    Models,
    Workspace,
    Conversations,
    SigningIn,
    ChangeOwners,
    Disposable {
  readonly agent: Agent
  /** What the editor waits for when the window closes. */
  end(): Promise<void>
}

export function createServices(context: ExtensionContext, clock = systemClock): Services {
  const base = createBase(clock)
  const identity = createIdentity(context, base)
  const requests = createRequests(context, base, identity)
  const models = createModels(context, base, identity, requests)
  const files = createWorkspace(context, base, models)
  const agent = createAgent(base.settings, context.globalState, async () => {
    const { loadAgentTools } = await import('./agentTools.ts')
    return loadAgentTools(context, services)
  })
  const conversations = createConversations(context, { ...base, ...identity, ...models, agent })
  const signIn = createSignIn(context, base, identity, models)
  const services: Services = {
    ...base,
    ...identity,
    ...requests,
    ...models,
    ...files,
    ...conversations,
    agent,
    ...signIn,
    ...createChanges(context, { ...base, ...models, ...files, ...conversations, report: signIn.report }),
    async end() {
      // A turn whose command ends now is interrupted, because nothing more of it is written.
      const endCommands = () => agent.commands?.end()
      await Promise.all([signIn.signIn.end(), conversations.sessions.close().then(endCommands)])
      base.lasting.dispose()
    },
    dispose: () => base.life.dispose(),
  }
  return services
}

interface Base {
  readonly clock: Clock
  readonly settings: EditorSettings
  readonly log: Log
  readonly output: OutputSink
  readonly recentFaults: RecentFaults
  /** Ends with the window. */
  readonly life: DisposableStore
  /** Lives on while the editor waits for `end`. */
  readonly lasting: DisposableStore
}

function createBase(clock: Clock): Base {
  const life = new DisposableStore()
  const lasting = new DisposableStore()
  const settings = life.add(new EditorSettings())
  const output = lasting.add(new OutputSink())
  const log = new Log()
  const recentFaults = new RecentFaults(output, clock)
  log.open(recentFaults)
  return { clock, settings, log, output, recentFaults, life, lasting }
}

interface Identity {
  readonly account: Account
  readonly environmentKey: EnvironmentKey
  readonly signInRecords: SignInFile
  /** Without a credential: for signing in and out. */
  readonly plainHttp: Http
  readonly connect: Connect
}

function createIdentity(context: ExtensionContext, { clock, settings, log, lasting }: Base): Identity {
  const environment = { ...process.env }
  const undici = lazy(async () => {
    const { UndiciHttp } = await import('../node/http/undiciHttp.ts')
    return lasting.add(new UndiciHttp(url => routeOf(url, editorProxy(), environment), clock))
  })
  const send: Http = async request => (await undici()).send(request)
  const product = `Kourier/${context.extension.packageJSON.version} VSCode/${version}`
  const connect: Connect = async url => (await undici()).connect(url)
  const plainHttp = layered(send, userAgent(product), logged(log, clock), retried(clock))
  const secrets = lasting.add(new SecretCredentialStore(context.secrets, clock, log))
  const windows = Uri.joinPath(context.globalStorageUri, 'windows').fsPath
  const signInRecords = lasting.add(new SignInFile(windows, clock, log))
  const store = lasting.add(new SharedCredentialStore(secrets, signInRecords))
  const environmentKey = rememberedEnvironmentKey(environment[ENVIRONMENT_NAME], context.globalState, log.redactor)
  const origin = () => settings.service?.origin
  const account = new Account(plainHttp, store, origin, log, () => environmentKey.for(settings.service), clock)
  return { account, environmentKey, signInRecords, plainHttp, connect }
}

interface Requests {
  /** With the credential of the account that is signed in. */
  readonly http: Http
  readonly scheduler: Scheduler
  /** The base address of the service; empty until it is known. */
  readonly address: () => string
}

function createRequests(context: ExtensionContext, base: Base, { account, plainHttp }: Identity): Requests {
  const { clock, settings, log, life } = base
  const folder = context.globalStorageUri.fsPath
  const label = () => workspace.name ?? l10n.t('an empty window')
  const shared = lazy(async () => {
    const { SharedSlots } = await import('../node/schedule/sharedSlots.ts')
    return life.add(new SharedSlots({ folder, label, clock, log: text => log.warn(text) }))
  })
  const slots: Slots = { join: async window => (await shared()).join(window) }
  const scheduler = life.add(
    new Scheduler(slots, {
      clock,
      account: () => account.slotOwner,
      fixed: () => settings.get('maxConcurrentRequests'),
    }),
  )
  life.add(settings.onDidChange(() => scheduler.updateFixedLimit()))
  const address = () => (settings.service ? plainAddress(settings.service) : '')
  return { http: bearer(plainHttp, account), scheduler, address }
}

interface Models {
  readonly catalog: Catalog
  readonly selection: ModelSelection
  /** The whole chain: queue, budget, redaction, rejected keys, surface. */
  readonly models: QueuedClient
  readonly counter: () => Promise<TokenCounter>
  /** The body of a request as it would be sent now. */
  readonly bodyOf: (request: ModelRequest) => Promise<object>
  readonly keys: KeyText
  /** Requests that wait and that no page of ours shows. */
  readonly waits: Waits
  readonly listOwner: () => ListOwner
  /** Which models think before they answer, and what keeps them from it. */
  readonly thinking: ThinkingSwitch
  /** What completions have learnt about models, over restarts. */
  readonly modelMemory: ModelMemory
}

function createModels(context: ExtensionContext, base: Base, identity: Identity, requests: Requests): Models {
  const { clock, settings, log, life } = base
  const { account } = identity
  const { http, address, scheduler } = requests
  const catalog = life.add(new Catalog(http, address, clock, log, account.onDidChange))
  const credential = () => account.credential(settings.service?.origin ?? '')
  const keys = new KeyText(credential)
  const listOwner = () => ({ origin: settings.service?.origin, signIn: account.signInId })
  const isSignedIn = () => account.state.is === 'in'
  const recalled = () => recallModels(context.globalState, listOwner())
  const selection = new ModelSelection({ catalog, settings, keys, isSignedIn, recalled })
  const counter = lazy(async () => new (await import('../core/model/tokenCounter.ts')).TokenCounter())
  const sending = lazy(async () => {
    const { createModelClient } = await import('./modelClient.ts')
    const { limitsOf } = selection
    return createModelClient({
      http,
      address,
      settings,
      clock,
      log,
      account,
      credential,
      keys,
      limitsOf,
      counter: await counter(),
    })
  })
  const models = new QueuedClient(new LazyClient(sending), scheduler, clock)
  const bodyOf = async (request: ModelRequest) => (await sending()).bodyOf(request)
  const modelMemory = rememberedTraits(context.globalState)
  const thinking = life.add(
    new ThinkingSwitch({ memory: modelMemory, surface: () => settings.get('surface'), address }),
  )
  const waits = life.add(new Waits())
  return { catalog, selection, models, counter, bodyOf, keys, waits, listOwner, thinking, modelMemory }
}

interface Workspace {
  readonly documents: Documents
  readonly editorDocuments: EditorDocuments
  readonly access: AccessPolicy
  /** Whether completions come only on request for a while. */
  readonly snooze: Snooze
  readonly completionOutcome: LastOutcome
  /** What became of completions, by day. */
  readonly usage: () => Promise<UsageRecorder>
  /** Whether there is suggested text at the cursor, or a request for it. */
  readonly suggestions: { isActiveAt: (snapshot: DocumentSnapshot) => boolean }
  readonly workspaceGit: () => Promise<WorkspaceGit>
  /** What can be attached to a question. */
  readonly context: () => Promise<EditorContext>
}

function createWorkspace(context: ExtensionContext, base: Base, owners: Models): Workspace {
  const { selection, counter, keys, models } = owners
  const { clock, settings, life } = base
  const documents = new Documents()
  const workspaceGit = createWorkspaceGit(clock)
  const usage = lazy(async () => {
    const [{ UsageRecorder }, { UsageFolder }] = await Promise.all([
      import('../core/complete/usageRecorder.ts'),
      import('../node/usage/usageFolder.ts'),
    ])
    const folder = Uri.joinPath(context.globalStorageUri, 'usage').fsPath
    return life.add(new UsageRecorder(new UsageFolder(folder, clock), clock))
  })
  const globs = life.add(new ExcludedGlobs(file => completionSettings(file).exclude))
  const access = new AccessPolicy({
    isTrusted: () => workspace.isTrusted,
    excludedGlobs: file => globs.for(file),
    ignoredOf: async (uris, signal) => (await workspaceGit()).ignored.of(uris, signal),
  })
  const editorDocuments = life.add(new EditorDocuments(documents))
  const window = modelWindow(selection, counter)
  const attachable = createContext(context, { access, workspaceGit, settings, clock, life, window, keys })
  const snoozeFile = Uri.joinPath(context.globalStorageUri, 'windows', 'snooze.json').fsPath
  const snooze = life.add(new Snooze(life.add(new SnoozeFile(snoozeFile, clock)), clock))
  const completionOutcome = life.add(new LastOutcome(clock))
  life.add(models.onDidAnswer(completionOutcome.reached))
  const suggestions = { isActiveAt: () => false }
  return {
    documents,
    editorDocuments,
    access,
    snooze,
    completionOutcome,
    suggestions,
    workspaceGit,
    usage,
    context: attachable,
  }
}

function modelWindow(selection: ModelSelection, counter: Models['counter']): ModelWindow {
  const model = () => selection.current ?? ''
  return {
    limit: () => selection.limitsOf(model()).input,
    async tokensOf(text) {
      const { textTokens } = await import('../core/model/tokenEstimate.ts')
      return (await counter()).correct(model(), textTokens(text)).tokens
    },
  }
}

interface SigningIn {
  readonly signIn: SignIn
  readonly openDashboard: (issuer?: string) => Promise<void>
  /** What sentences need to know: the name of the service, and what hides secrets. */
  readonly names: () => Names
  readonly report: (fault: unknown) => void
  /** Whether the chat is in view: what it shows needs no notification. */
  readonly chatPresence: { isVisible: boolean; readonly changed: Emitter<void> }
}

function createSignIn(context: ExtensionContext, base: Base, identity: Identity, { selection }: Models): SigningIn {
  const { clock, settings, log, life } = base
  const { account, plainHttp: http } = identity
  const redact = (text: string) => log.redactor.redact(text)
  const serviceName = (): string => serviceNameOf(signIn)
  const names = () => ({ service: serviceName(), redact })
  const report = (fault: unknown) => void showFault(fault, names())
  const dashboard = (issuer?: string) => openDashboard({ http, account, settings, clock }, issuer).catch(report)
  const signIn: SignIn = life.add(
    new SignIn({
      http,
      account,
      settings,
      memory: life.add(createSignInMemory(context, base, identity)),
      machine: thisMachine,
      ui: editorSignInUi({ account, machine: thisMachine, serviceName }),
      knownServers: rememberedServers(context.globalState),
      isBrowserHere: isBrowserHere(context),
      clock,
      log,
    }),
  )
  const chatPresence = { isVisible: false, changed: life.add(new Emitter<void>()) }
  const isChatVisible = () => chatPresence.isVisible
  life.add(new SignInView({ signIn, account, clock, redact, openDashboard: dashboard, isChatVisible }))
  life.add(
    signIn.onDidEnd(({ ending }) => {
      if (ending.why !== 'signed in') return
      void warnOfOpenStorage(context.globalState)
      selection.afterSignIn().catch(report)
    }),
  )
  return { signIn, openDashboard: dashboard, names, report, chatPresence }
}

function createSignInMemory(context: ExtensionContext, { clock }: Base, { account }: Identity): SignInMemory {
  const attempts = Uri.joinPath(context.globalStorageUri, 'signIns').fsPath
  return new SignInMemory(
    context.secrets,
    context.workspaceState,
    write => account.writeIfSafe(write),
    clock,
    new FileHeartbeat(attempts, clock),
    new AttemptFiles(attempts, clock),
    systemProcesses,
  )
}
