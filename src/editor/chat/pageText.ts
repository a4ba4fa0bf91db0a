// `pageText`: the sentences that the chat page shows by itself, in the editor's display language.
import { l10n } from 'vscode'
import type { PageText } from '../../protocol/pageText.ts'
import { durationForms } from '../ui/localDuration.ts'

/** The page fills the placeholders. */
export function pageText(): PageText {
  return {
    ...durationForms(),
    ...general(),
    ...signIn(),
    ...welcome(),
    ...conversation(),
    ...messages(),
    ...find(),
    ...tools(),
    ...content(),
    ...composer(),
  }
}

const general = () => ({
  cancel: l10n.t('Cancel'),
  retry: l10n.t('Retry'),
  panelBroken: l10n.t('This panel could not be drawn. Close it and open it again; the log says why.'),
  showLog: l10n.t('Show log'),
  showAll: l10n.t('Show all'),
  copy: l10n.t('Copy'),
  copied: l10n.t('Copied'),
  copyingFailed: l10n.t('Copying failed'),
})

const signIn = () => ({
  signInTo: l10n.t('Sign in to {service}'),
  signInReason: l10n.t('Chat and code completion run on your own plan. You approve this editor once, in the browser.'),
  signIn: l10n.t('Sign in'),
  signInWithBrowser: l10n.t('Sign in with the browser'),
  useKey: l10n.t('Use an API key'),
  code: l10n.t('Sign-in code'),
  enterCode: l10n.t('Enter this code at {host}'),
  openBrowser: l10n.t('Open browser'),
  copyCode: l10n.t('Copy code'),
  codeCopied: l10n.t('Code copied'),
  newCode: l10n.t('Get a new code'),
  checkTag: l10n.t('Only approve if the page shows the tag {tag}. We never send codes by mail or chat.'),
  qrCode: l10n.t('QR code for {host}'),
  qrCaption: l10n.t('Or open the page on your phone.'),
  gettingCode: l10n.t('Getting a new code…'),
  codeOver: l10n.t('This code has run out.'),
  timeLeft: l10n.t('{time} left'),
  minutesLeft: l10n.t('{count} minutes left'),
  minutesLeftOne: l10n.t('1 minute left'),
  lessThanHalfMinuteLeft: l10n.t('Less than half a minute left'),
})

const welcome = () => ({
  welcome: l10n.t('What are you working on?'),
  welcomeHint: l10n.t('Ask a question, or begin with one of these.'),
  exampleFunction: l10n.t('Write a function that retries a request with growing pauses'),
  exampleExplanation: l10n.t('Explain what a race condition is, with a small example'),
  exampleExpression: l10n.t('Suggest a regular expression that finds ISO 8601 dates'),
  signedInAs: l10n.t('Signed in to {service} as {email}'),
})

const conversation = () => ({
  conversation: l10n.t('Conversation'),
  latest: l10n.t('Jump to latest'),
  unanswered: l10n.t('This question was not answered.'),
  user: l10n.t('You'),
  kourier: l10n.t('Kourier'),
  answered: l10n.t('Kourier: {text}'),
  answerEndAfter: l10n.t('{text} End of the answer.'),
  answerEnd: l10n.t('End of the answer.'),
  spokenCode: l10n.t('Code block, {count} lines, {language}.'),
  spokenCodeOne: l10n.t('Code block, 1 line, {language}.'),
  changes: l10n.t('Changes'),
  changesOfAnswer: l10n.t('Files changed from this answer'),
  changeOf: l10n.t('{file} +{added} −{removed}'),
  changeKept: l10n.t('Kept'),
  changeUndone: l10n.t('Undone'),
  changePartlyUndone: l10n.t('Partly undone'),
  keep: l10n.t('Keep'),
  openDiff: l10n.t('Open diff'),
  keepAll: l10n.t('Keep all'),
  undoAll: l10n.t('Undo all'),
})

const messages = () => ({
  stopped: l10n.t('Stopped.'),
  interrupted: l10n.t('The answer was interrupted here.'),
  cutByLength: l10n.t('The answer reached the longest length that the model may write.'),
  filtered: l10n.t('The service’s content filter ended this answer.'),
  declined: l10n.t('The model declined to answer.'),
  continueAnswer: l10n.t('Continue'),
  continuePrompt: l10n.t('Continue exactly where your last answer ended.'),
  thinking: l10n.t('Thinking'),
  thinkingFor: l10n.t('Thinking for {time}'),
  thought: l10n.t('Thought for {time}'),
  edit: l10n.t('Edit'),
  editMessage: l10n.t('Edit message'),
  copyMessage: l10n.t('Copy message'),
  deleteMessage: l10n.t('Delete message'),
  messageDeleted: l10n.t('The message and its answer were deleted.'),
  undo: l10n.t('Undo'),
  branchFromHere: l10n.t('Branch from here'),
  variants: l10n.t('Versions'),
  variantOf: l10n.t('{number} of {count}'),
  previousVariant: l10n.t('Previous version'),
  nextVariant: l10n.t('Next version'),
  queuedMessages: l10n.t('Queued messages'),
  remove: l10n.t('Remove'),
  sendNow: l10n.t('Send now'),
  sendNowHint: l10n.t('Stops the answer and sends this message'),
})

const find = () => ({
  find: l10n.t('Find in chat'),
  findPlace: l10n.t('{number} of {total}'),
  findNothing: l10n.t('No results'),
  findNext: l10n.t('Next match'),
  findPrevious: l10n.t('Previous match'),
  findClose: l10n.t('Close'),
})

const tools = () => ({
  tool: l10n.t('Tool: {name}'),
  toolWriting: l10n.t('{name}: being written'),
  toolRunning: l10n.t('{name}: running'),
  toolDone: l10n.t('{name}: done'),
  toolFailed: l10n.t('{name}: failed'),
  toolDenied: l10n.t('{name}: denied'),
  toolRefused: l10n.t('{name}: refused'),
  toolStopped: l10n.t('{name}: stopped'),
  toolInterrupted: l10n.t('{name}: interrupted'),
})

const content = () => ({
  image: l10n.t('Image'),
  imageOf: l10n.t('Image: {name}'),
  imageWithoutName: l10n.t('Image: without a name'),
  codeIn: l10n.t('Code: {language}'),
  plainText: l10n.t('text'),
  insertAtCursor: l10n.t('Insert at cursor'),
  applyToFile: l10n.t('Apply to file'),
  newFile: l10n.t('New file'),
  runInTerminal: l10n.t('Run in terminal'),
  codeIncomplete: l10n.t('This code is not complete.'),
  runRestricted: l10n.t('In Restricted Mode nothing runs in the terminal.'),
  moreRows: l10n.t('Show all ({count} more rows)'),
  moreRowsOne: l10n.t('Show all (1 more row)'),
  hiddenCharacters: l10n.t('{count} hidden characters'),
  openInEditor: l10n.t('Open {name}'),
})

const composer = () => ({
  message: l10n.t('Message'),
  ask: l10n.t('Ask anything, @ context, / commands'),
  askFollowUp: l10n.t('Ask a follow-up'),
  send: l10n.t('Send'),
  sendByEnter: l10n.t('Send (Enter)'),
  sendByCtrlEnter: l10n.t('Send (Ctrl+Enter)'),
  queueByEnter: l10n.t('Send when the answer has ended (Enter)'),
  queueByCtrlEnter: l10n.t('Send when the answer has ended (Ctrl+Enter)'),
  addContext: l10n.t('Add context'),
  attachImage: l10n.t('Attach image'),
  context: l10n.t('Context'),
  suggestions: l10n.t('Suggestions'),
  reading: l10n.t('Reading…'),
  linesOf: l10n.t('{name}, lines {from} to {to}'),
  openFile: l10n.t('Open {name}'),
  tokens: l10n.t('{count} tokens'),
  removeNamed: l10n.t('Remove {name}'),
  attachNamed: l10n.t('Attach {name}'),
  notAttached: l10n.t('{name} cannot be attached. Attach it from the folder of your project.'),
  stop: l10n.t('Stop'),
  stopByEscape: l10n.t('Stop (Escape)'),
  model: l10n.t('Model: {name}'),
  selectModel: l10n.t('Select a model'),
  retryNow: l10n.t('Retry now'),
  slotsInUse: l10n.t('Slots in use'),
})
