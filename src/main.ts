// Joins the parts; the only file that says `new` to things that touch the outside.
import { type ExtensionContext, Uri, version, workspace } from 'vscode'
import { raceAbort } from './base/abort.ts'
import { systemClock as clock } from './base/clock.ts'
import { DisposableStore } from './base/disposable.ts'
import { Account } from './core/account/account.ts'
import { plainAddress } from './core/account/address.ts'
import { ENVIRONMENT_NAME } from './core/account/environmentKey.ts'
import { SharedCredentialStore } from './core/account/sharedCredentialStore.ts'
import { Completer } from './core/complete/completer.ts'
import { Sessions } from './core/conversation/sessions.ts'
import { bearer } from './core/http/bearer.ts'
import { agent, layered, noted, retried } from './core/http/layers.ts'
import { routeOf } from './core/http/proxy.ts'
import { KeyText } from './core/log/keyText.ts'
import { Log } from './core/log/log.ts'
import { Catalog } from './core/model/catalog.ts'
import { KeyRejectionReporter } from './core/model/keyRejectionReporter.ts'
import { QueuedClient } from './core/model/queuedClient.ts'
import { RedactingClient } from './core/model/redactingClient.ts'
import { SurfaceClient } from './core/model/surfaceClient.ts'
import { TokenBudgetClient } from './core/model/tokenBudgetClient.ts'
import { TokenCounter } from './core/model/tokenCounter.ts'
import { tokensOf } from './core/model/tokenEstimate.ts'
import { Waits } from './core/model/waits.ts'
import { Scheduler } from './core/schedule/scheduler.ts'
import { notifyAccountNews } from './editor/account/accountNews.ts'
import { KourierAuthentication } from './editor/account/authenticationProvider.ts'
import { isBrowserHere } from './editor/account/browserHere.ts'
import { openDashboard } from './editor/account/openDashboard.ts'
import { warnOfOpenStorage } from './editor/account/openStorage.ts'
import { panelAccount } from './editor/account/panelAccount.ts'
import { SecretCredentialStore } from './editor/account/secretStore.ts'
import { SignInMemory } from './editor/account/signInMemory.ts'
import { SignInView } from './editor/account/signInView.ts'
import { signOut, signOutAndRevoke } from './editor/account/signOut.ts'
import { askForEnvironmentKey, rememberedEnvironmentKey } from './editor/account/spareKey.ts'
import { revokeAgain, unrevokedAt } from './editor/account/unrevoked.ts'
import { ChatView } from './editor/chat/chatView.ts'
import { DraftMemory } from './editor/chat/draftMemory.ts'
import { restrictedNotice } from './editor/chat/restrictedNotice.ts'
import { completionSettings } from './editor/complete/completionSettings.ts'
import { inlineProvider } from './editor/complete/inlineProvider.ts'
import { relatedDocuments } from './editor/complete/relatedDocuments.ts'
import { areCompletionsOn, toggleCompletions } from './editor/complete/toggleCompletions.ts'
import { ModelChoice } from './editor/models/modelChoice.ts'
import { NativeModels } from './editor/models/nativeModels.ts'
import { recallModels, rememberModels } from './editor/models/rememberedModels.ts'
import { RevisionWatch } from './editor/models/revisionWatch.ts'
import { selectModel } from './editor/models/selectModel.ts'
import { useChatCompletions } from './editor/models/useChatCompletions.ts'
import { useInEditorChat } from './editor/models/useInEditorChat.ts'
import { notifyWaits } from './editor/models/waitNotification.ts'
import { showMenu } from './editor/status/accountMenu.ts'
import { StatusBar } from './editor/status/statusBar.ts'
import { registerCommands } from './editor/ui/commands.ts'
import { accountKey, setContextKey } from './editor/ui/contextKeys.ts'
import { EditorSettings, editorProxy } from './editor/ui/editorSettings.ts'
import { showFault } from './editor/ui/notices.ts'
import { OutputSink } from './editor/ui/outputSink.ts'
import { AttemptFiles } from './node/account/attemptFiles.ts'
import { FileHeartbeat } from './node/account/fileHeartbeat.ts'
import { SignInFile } from './node/account/signInFile.ts'
import { thisMachine } from './node/account/thisMachine.ts'
import { ChatFile } from './node/history/chatFile.ts'
import { UndiciHttp } from './node/http/undiciHttp.ts'
import { SharedSlots } from './node/schedule/sharedSlots.ts'
import { systemProcesses } from './node/systemProcesses.ts'

let end: (() => Promise<void>) | undefined

/** The editor waits some seconds for it: a key on its way is stored or given back. */
export function deactivate(): Promise<void> | undefined {
  return end?.()
}

export function activate(context: ExtensionContext): void {
  const life = new DisposableStore()
  context.subscriptions.push(life)
  // The editor disposes the subscriptions while it waits for `deactivate`. What brings a key home or gives it back lives on
  // until that is done.
  const lasting = new DisposableStore()
  const settings = life.add(new EditorSettings())
  const output = lasting.add(new OutputSink())
  const log = new Log()
  log.open(output)

  const environment = { ...process.env }
  const undici = lasting.add(new UndiciHttp(url => routeOf(url, editorProxy(), environment), clock))
  const product = `Kourier/${context.extension.packageJSON.version} VSCode/${version}`
  const plain = layered(undici.send, agent(product), noted(log, clock), retried(clock))
  const secrets = lasting.add(new SecretCredentialStore(context.secrets, clock, log))
  const notes = lasting.add(new SignInFile(Uri.joinPath(context.globalStorageUri, 'windows').fsPath, clock, log))
  const store = lasting.add(new SharedCredentialStore(secrets, notes))
  const spare = rememberedEnvironmentKey(environment[ENVIRONMENT_NAME], context.globalState)
  const account = new Account(
    plain,
    store,
    () => settings.service?.origin,
    log,
    () => spare.for(settings.service),
    clock,
  )
  const http = bearer(plain, account)

  const slots = life.add(
    new SharedSlots({
      folder: context.globalStorageUri.fsPath,
      label: () => workspace.name ?? 'an empty window',
      clock,
      note: text => log.warn(text),
    }),
  )
  const line = life.add(
    new Scheduler(slots, {
      clock,
      account: () => account.slotOwner,
      fixed: () => settings.get('maxConcurrentRequests'),
    }),
  )
  const address = () => (settings.service ? plainAddress(settings.service) : '')
  const catalog = new Catalog(http, address, clock, log)
  const surface = () => settings.get('surface')
  const counter = new TokenCounter()
  const asking = new SurfaceClient({ http, baseUrl: address, surface, clock, log })
  const key = () => account.token(settings.service?.origin ?? '')
  const keys = new KeyText(key)
  const judged = new KeyRejectionReporter(asking, { key, learn: (verdict, sent) => account.learn(verdict, sent) })
  const isSignedIn = () => account.state.is === 'in'
  const listOwner = () => ({ origin: settings.service?.origin, signIn: account.signInId })
  const recalled = () => recallModels(context.globalState, listOwner())
  const choice = new ModelChoice({ catalog, settings, keys, isSignedIn, recalled })
  const counted = new TokenBudgetClient(new RedactingClient(judged, keys), counter, choice.limitsOf, noteCount(log))
  const models = new QueuedClient(counted, line, clock)
  const isSettled = () => choice.isSettled
  const newId = () => crypto.randomUUID()
  const chats = Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'chats').fsPath
  const history = new ChatFile(chats, clock, log)
  // Who asks as soon as the window stands is not asked for a key that is only being read.
  const model = async (signal: AbortSignal, refused?: string) => {
    await raceAbort(account.whenKnown, signal)
    return choice.needed(signal, refused)
  }
  const sessions = life.add(new Sessions({ models, model, history, newId, clock }))
  history.open(sessions.current.id)

  const completer = life.add(
    new Completer({
      models,
      model: choice.forCompletions,
      clock,
      neighbours: relatedDocuments,
      settings: completionSettings,
      log,
    }),
  )
  life.add(inlineProvider(completer))

  const dashboard = (issuer?: string) =>
    openDashboard({ http: plain, account, settings, clock }, issuer).catch(fault => showFault(fault, names()))
  const attempts = Uri.joinPath(context.globalStorageUri, 'signIns').fsPath
  const beats = new FileHeartbeat(attempts, clock)
  const writeBeside = (write: () => Promise<void>) => account.writeBeside(write)
  const attemptNotes = new AttemptFiles(attempts, clock)
  const memory = life.add(
    new SignInMemory(context.secrets, context.workspaceState, writeBeside, clock, beats, attemptNotes, systemProcesses),
  )
  const signIn = life.add(
    new SignInView({
      http: plain,
      account,
      settings,
      memory,
      machine: thisMachine,
      isBrowserHere: isBrowserHere(context),
      clock,
      log,
      onSignedIn: () => {
        void warnOfOpenStorage(context.globalState)
        choice.afterSignIn().catch(fault => showFault(fault, names()))
      },
      openDashboard: dashboard,
    }),
  )
  end = async () => {
    await Promise.all([signIn.end(), history.close()])
    lasting.dispose()
  }
  const redact = (text: string) => log.redactor.redact(text)
  const names = () => ({ service: signIn.serviceName, redact })
  life.add(new RevisionWatch({ catalog, settings, isSettled, onDidFail: models.onDidFail, names, clock }))
  const chat = life.add(
    new ChatView({
      extensionUri: context.extensionUri,
      sessions,
      log,
      account: () => panelAccount(account, signIn, clock),
      model: () => choice.current,
      onReady: choice.warm,
      names,
      sendOnEnter: () => settings.get('chat.sendOnEnter'),
      limits: restrictedNotice,
      clock,
      keys,
      drafts: new DraftMemory(context.workspaceState, keys),
      signIn,
    }),
  )
  const waits = life.add(new Waits())
  life.add(notifyWaits(waits, clock))
  const wait = () => {
    const { state } = sessions.current
    return state.is === 'waiting' ? state.wait : waits.current
  }
  const facts = () => ({
    account: account.state,
    signIn: signIn.state,
    session: sessions.current.state,
    wait: wait(),
    line: line.state,
    isCompleting: areCompletionsOn(settings),
    isUnchecked: !editorProxy().strictTls,
    service: signIn.serviceName,
    canUseBrowser: signIn.canUseBrowser,
    model: choice.current,
    isModelMissing: choice.isMissing,
    cancelSignIn: () => signIn.cancel(),
    unrevokedAt: unrevokedAt(account),
    revokeAgain: () => void revokeAgain({ account, openDashboard: dashboard }),
  })
  const status = life.add(new StatusBar(facts, clock))

  life.add(catalog.onDidChange(listed => void rememberModels(context.globalState, listOwner(), listed)))
  life.add(
    new NativeModels({
      models,
      waits,
      offered: () => choice.offered,
      ask: signal => catalog.refresh(signal),
      countTokens: (model, said) => counter.correct(model, tokensOf(said)).tokens,
      names,
      changes: [catalog.onDidChange, account.onDidChange, settings.onDidChange],
    }),
  )

  life.add(
    registerCommands(
      {
        'kourier.signIn': () => signIn.signIn(),
        'kourier.signInWithBrowser': () => signIn.signInWithBrowser(),
        'kourier.useApiKey': () => signIn.useApiKey(),
        'kourier.signOut': () => signOut(account, dashboard),
        'kourier.selectModel': () => selectModel(choice, sessions),
        'kourier.useInEditorChat': () => useInEditorChat(choice, log),
        'kourier.openDashboard': () => dashboard(),
        'kourier.openChat': () => chat.show(),
        'kourier.newChat': () => chat.showNew(),
        'kourier.toggleCompletions': () => toggleCompletions(settings),
        'kourier.useChatCompletions': () => useChatCompletions(settings, sessions.current),
        'kourier.retryNow': () => waits.retryNow(),
        'kourier.showMenu': () => showMenu({ ...facts(), clock }),
        'kourier.showLog': () => output.show(),
        'kourier.signIn.openBrowser': () => signIn.openBrowser(),
        'kourier.signIn.copyCode': () => signIn.copyCode(),
        'kourier.signIn.renew': () => signIn.renew(),
        'kourier.signIn.resume': () => signIn.resume(),
        'kourier.signIn.changeAddress': () => signIn.signIn({ asksAddress: true }),
      },
      fault => void showFault(fault, names()),
    ),
  )

  const tell = () => {
    setContextKey('kourier.account', accountKey(account.state, signIn.state.is !== 'idle'))
    setContextKey('kourier.browserSignIn', signIn.canUseBrowser)
    chat.tellFacts()
    status.draw()
  }
  life.add(
    new KourierAuthentication({
      account,
      signIn: () => signIn.signIn(),
      signOut: () => signOutAndRevoke(account, dashboard),
    }),
  )
  life.add(
    notifyAccountNews({
      account,
      sessions,
      serviceName: () => signIn.serviceName,
      isChatVisible: () => chat.isVisible,
      isSigningIn: () => signIn.state.is !== 'idle',
      openDashboard: dashboard,
    }),
  )
  life.add(account.onDidChange(() => catalog.forget()))
  life.add(account.onDidChange(() => tell()))
  life.add(signIn.onDidChange(tell))
  life.add(workspace.onDidGrantWorkspaceTrust(tell))
  life.add(catalog.onDidChange(tell))
  life.add(line.onDidChange(() => status.draw()))
  life.add(sessions.onDidMove(() => status.draw()))
  life.add(waits.onDidChange(() => status.draw()))
  life.add(sessions.onDidOpen(({ id }) => history.open(id)))
  const { id } = sessions.current
  void history.takeUp(id).then(messages => sessions.goOnWith(id, messages))
  life.add(settings.onDidChange(() => line.retune()))
  const offerSpare = async () => {
    // Whoever signs in does not need it.
    const isWanted = account.state.is === 'out' && signIn.state.is === 'idle'
    if (isWanted && (await spare.offer(settings.service, askForEnvironmentKey))) await account.restore()
  }
  life.add(settings.onDidChange(() => account.restore().then(tell).then(offerSpare)))
  void account.restore().then(() => Promise.all([signIn.offerToResume(), offerSpare()]))
  void notes.watch()
}

/** How good the estimates are. */
const noteCount = (log: Log) => (estimated: number, counted: number) =>
  log.debug('Tokens counted', {
    counted,
    estimated,
    error: `${Math.round((100 * (estimated - counted)) / Math.max(counted, 1))} %`,
  })
