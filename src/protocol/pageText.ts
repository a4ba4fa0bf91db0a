// The sentences that the chat page shows by itself: their names, and the placeholders in each.

/** Every sentence is whole; `One` in a name is the form for the count 1. Their text is in `editor/chat/pageText.ts`. */
export const placeholders = {
  // Everywhere.
  cancel: [],
  retry: [],
  panelBroken: [],
  showLog: [],
  showAll: [],
  copy: [],
  copied: [],
  copyingFailed: [],

  // A duration in one unit, whose count is more than 1 except for seconds.
  second: ['count'],
  minute: ['count'],
  hour: ['count'],
  day: ['count'],

  // Signing in.
  signInTo: ['service'],
  signInReason: [],
  signIn: [],
  signInWithBrowser: [],
  useKey: [],
  code: [],
  enterCode: ['host'],
  openBrowser: [],
  copyCode: [],
  codeCopied: [],
  newCode: [],
  checkTag: ['tag'],
  qrCode: ['host'],
  qrCaption: [],
  gettingCode: [],
  codeOver: [],
  timeLeft: ['time'],
  minutesLeft: ['count'],
  minutesLeftOne: [],
  lessThanHalfMinuteLeft: [],

  // An empty conversation.
  welcome: [],
  welcomeHint: [],
  exampleFunction: [],
  exampleExplanation: [],
  exampleExpression: [],
  signedInAs: ['service', 'email'],

  // The conversation.
  conversation: [],
  latest: [],
  unanswered: [],
  user: [],
  kourier: [],
  answered: ['text'],
  stopped: [],
  interrupted: [],
  cutByLength: [],
  filtered: [],
  declined: [],
  continueAnswer: [],
  continuePrompt: [],
  thinking: [],
  thinkingFor: ['time'],
  thought: ['time'],
  edit: [],
  editMessage: [],
  copyMessage: [],
  deleteMessage: [],
  messageDeleted: [],
  undo: [],
  branchFromHere: [],
  variants: [],
  variantOf: ['number', 'count'],
  previousVariant: [],
  nextVariant: [],
  queuedMessages: [],
  remove: [],
  sendNow: [],
  sendNowHint: [],
  changes: [],

  // Tool calls.
  tool: ['name'],
  toolWriting: ['name'],
  toolRunning: ['name'],
  toolDone: ['name'],
  toolFailed: ['name'],
  toolDenied: ['name'],
  toolRefused: ['name'],
  toolStopped: ['name'],
  toolInterrupted: ['name'],

  // Parts of a text.
  image: [],
  imageOf: ['name'],
  imageWithoutName: [],
  codeIn: ['language'],
  plainText: [],
  moreRows: ['count'],
  moreRowsOne: [],
  hiddenCharacters: ['count'],

  // The composer, and what a request waits for.
  message: [],
  ask: [],
  askFollowUp: [],
  send: [],
  sendByEnter: [],
  sendByCtrlEnter: [],
  queueByEnter: [],
  queueByCtrlEnter: [],
  addContext: [],
  attachImage: [],
  context: [],
  suggestions: [],
  reading: [],
  tokens: ['count'],
  removeNamed: ['name'],
  attachNamed: ['name'],
  notAttached: ['name'],
  stop: [],
  stopByEscape: [],
  model: ['name'],
  noModel: [],
  selectModel: [],
  retryNow: [],
  slotsInUse: [],
} as const satisfies Record<string, readonly string[]>

export type SentenceName = keyof typeof placeholders
export type Placeholder<Name extends SentenceName> = (typeof placeholders)[Name][number]

/** The page gets it with its HTML, before it draws anything. */
export type PageText = Readonly<Record<SentenceName, string>>

/** The id of the element in the page's HTML that has the text as JSON. */
export const PAGE_TEXT_ID = 'text'
