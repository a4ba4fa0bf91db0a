// Joins the parts; the only file that says `new` to things that touch the outside.
import { type ExtensionContext, version } from 'vscode'
import { systemClock as clock } from './base/clock.ts'
import { DisposableStore } from './base/disposable.ts'
import { Account } from './core/auth/account.ts'
import { plainAddress } from './core/auth/address.ts'
import { MemoryHistory } from './core/chat/history.ts'
import { Sessions } from './core/chat/sessions.ts'
import { Completer } from './core/complete/completer.ts'
import { bearer } from './core/http/bearer.ts'
import { UndiciHttp } from './core/http/http.ts'
import { agent, layered, noted, retried } from './core/http/layers.ts'
import { routeOf } from './core/http/proxy.ts'
import { Log } from './core/log/log.ts'
import { Catalog } from './core/model/catalog.ts'
import { ChatCompletionsClient } from './core/model/chatCompletionsClient.ts'
import { RoutedClient } from './core/model/routedClient.ts'
import { PlanLimit } from './core/schedule/planLimit.ts'
import { Scheduler } from './core/schedule/scheduler.ts'
import { MemorySlots } from './core/schedule/slots.ts'
import { openDashboard } from './editor/account/openDashboard.ts'
import { SecretCredentialStore } from './editor/account/secretStore.ts'
import { SignInView } from './editor/account/signInView.ts'
import { signOut } from './editor/account/signOut.ts'
import { ChatView } from './editor/chat/chatView.ts'
import { panelAccount } from './editor/chat/panelAccount.ts'
import { registerCommands } from './editor/commands.ts'
import { completionSettings } from './editor/complete/completionSettings.ts'
import { inlineProvider } from './editor/complete/inlineProvider.ts'
import { neighbours } from './editor/complete/neighbours.ts'
import { areCompletionsOn, toggleCompletions } from './editor/complete/toggleCompletions.ts'
import { setContextKey } from './editor/contextKeys.ts'
import { ModelChoice } from './editor/models/modelChoice.ts'
import { showFault } from './editor/notify.ts'
import { OutputSink } from './editor/outputSink.ts'
import { EditorSettings, editorProxy } from './editor/settings.ts'
import { showMenu } from './editor/status/accountMenu.ts'
import { StatusBar } from './editor/status/statusBar.ts'

export function activate(context: ExtensionContext): void {
  const life = new DisposableStore()
  context.subscriptions.push(life)
  const settings = life.add(new EditorSettings())
  const output = life.add(new OutputSink())
  const log = new Log()
  log.open(output)

  const environment = { ...process.env }
  const undici = life.add(new UndiciHttp(url => routeOf(url, editorProxy(), environment), clock))
  const product = `Kourier/${context.extension.packageJSON.version} VSCode/${version}`
  const plain = layered(undici.send, agent(product), noted(log, clock), retried(clock))
  const secrets = life.add(new SecretCredentialStore(context.secrets, log))
  const account = new Account(plain, secrets, () => settings.service?.origin, log)
  const http = bearer(plain, account)

  const limit = new PlanLimit(() => settings.get('maxConcurrentRequests'))
  const line = life.add(new Scheduler(new MemorySlots(), () => limit.now))
  const address = () => (settings.service ? plainAddress(settings.service) : '')
  const catalog = new Catalog(http, address, clock, log)
  const models = new RoutedClient(new ChatCompletionsClient(http, address, clock), line, limit, clock)
  life.add(models.onDidFail(verdict => account.learn(verdict)))
  const choice = new ModelChoice(catalog, settings, () => account.state.is === 'in')
  const newId = () => crypto.randomUUID()
  const sessions = life.add(new Sessions({ models, model: choice.needed, history: new MemoryHistory(), newId }))

  const completer = life.add(
    new Completer({
      models,
      model: choice.forCompletions,
      clock,
      neighbours,
      settings: completionSettings,
      log,
    }),
  )
  life.add(inlineProvider(completer))

  const signIn = life.add(
    new SignInView({ http: plain, account, settings, clock, log, onSignedIn: () => choice.afterSignIn() }),
  )
  const names = () => ({ service: signIn.serviceName, model: choice.current })
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
      signIn,
    }),
  )
  const facts = () => ({
    account: account.state,
    signIn: signIn.state,
    session: sessions.current.state,
    line: line.state,
    isCompleting: areCompletionsOn(settings),
    service: signIn.serviceName,
    model: choice.current,
    cancelSignIn: () => signIn.cancel(),
  })
  const status = life.add(new StatusBar(facts, clock))

  const dashboard = () => openDashboard(account, settings)
  life.add(
    registerCommands(
      {
        'kourier.signIn': () => signIn.signIn(),
        'kourier.useApiKey': () => signIn.useApiKey(),
        'kourier.signOut': () => signOut(account, dashboard),
        'kourier.selectModel': () => choice.select(),
        'kourier.openDashboard': dashboard,
        'kourier.openChat': () => chat.show(),
        'kourier.newChat': () => chat.showNew(),
        'kourier.toggleCompletions': () => toggleCompletions(settings),
        'kourier.showMenu': () => showMenu(facts()),
        'kourier.showLog': () => output.show(),
        'kourier.signIn.openBrowser': () => signIn.openBrowser(),
        'kourier.signIn.copyCode': () => signIn.copyCode(),
        'kourier.signIn.renew': () => signIn.renew(),
        'kourier.signIn.changeAddress': () => signIn.signIn({ asksAddress: true }),
      },
      fault => void showFault(fault, names()),
    ),
  )

  const tell = () => {
    setContextKey('kourier.account', signIn.state.is === 'idle' ? account.state.is : 'signing-in')
    chat.tellFacts()
    status.draw()
  }
  life.add(account.onDidChange(() => catalog.forget()))
  life.add(account.onDidChange(() => tell()))
  life.add(signIn.onDidChange(tell))
  life.add(catalog.onDidChange(tell))
  life.add(line.onDidChange(() => status.draw()))
  life.add(sessions.onDidMove(() => status.draw()))
  life.add(settings.onDidChange(() => account.restore().then(tell)))
  void account.restore()
}
