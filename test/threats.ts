// What can be done to the extension (T) and what can fail around it (R): one id and one line for each that it answers.
// A test claims a line by its id in square brackets at the start of its name; threats.test.ts counts.
export const threats = {
  // A workspace reaches for the key
  T01: 'the settings of a workspace name another address for the service',
  T02: 'the same in nested objects, and for single languages',
  T03: 'the same in a workspace file, and in one folder of several',
  T04: 'a container writes the settings of its machine',
  T05: 'environment files, terminal variables and a proxy that the workspace brings',

  // The key on its way
  T06: 'another address in the settings, a profile or a synced setting gets the key of the one before',
  T07: 'a new setting that decides where something goes can be set by a workspace',
  T08: 'a redirect of any kind leads elsewhere with a key or a claim token',
  T09: 'the key travels in clear: an http address, or documents and redirects that lead to one',
  T10: 'a secret is written down: in a log, a file, a notification, another request',
  T11: 'the page is told a key, or keeps one',
  T12: 'the user pastes a key into a chat, or where a model or an address belongs',
  T13: 'another extension runs our commands and looks at what we export',
  T14: 'a program that we start reads the key of the environment',
  T15: 'the service does not revoke the key when its user signs out',
  T16: 'a browser without a secure origin keeps keys readable; settings sync and profiles carry settings away',
  T17: 'a proxy reads the key, or the service the password of the proxy',
  T18: 'a certificate that is self-signed, out of its time or for another host',

  // A service that lies, and third parties
  T20: 'documents that name other servers, other resources, or endpoints elsewhere',
  T21: 'a page for the code that is no web page, or not the service’s',
  T22: 'a link from a web page into the editor',
  T24: 'a stranger sends the code of his own registration to the user',
  T25: 'a stranger at the door that waits for the browser: other host, method, path or state, twice, or too late',
  T92: 'what we load or start changes the network or the globals of other extensions',

  // Before anybody has agreed
  T23: 'an email is sent, or a registration made, before the user has agreed to it',
  T80: 'the extension works while the workspace is not trusted',
  T81: 'a workspace that is not trusted instructs the model, or names programs that git would start',

  // Files that the user attaches
  T41: 'a link of any kind, a loop, a pipe or a device in the place of a file of the workspace',
  T45: 'a secret file is attached, alone or with its folder, its change or its repository',
  T46: 'a file without end, a binary one, a folder of thousands of files',
  T47: 'the name of a file contains instructions for the model',
  R48: 'a completion in a file of 50 MB or a line of a million characters',
  R49: 'fast typing for a long time',
  R50: 'a workspace with a hundred thousand files',

  // What the model writes into files and terminals
  T36: 'characters that a terminal obeys, in the text of a model',
  T37: 'characters that nobody sees, in the text of a model',
  T34: 'a link of an answer that runs something in the editor, or leads to a file or a share',
  T39: 'a copied text is another one than was seen, or runs where it is pasted',
  T30: 'pictures and other files that the text of a model would load, in every spelling',
  T31: 'the same in a text that is half there, or comes from the history',
  T32: 'scripts, handlers and ends of tags in any text of others that the page shows',
  T33: 'formulas and diagrams of a model that load, run, lead elsewhere or never end',
  T38: 'the text of a link is another address than its target',
  T35: 'links, icons and commands in what a server or another extension says, where the editor shows it',
  R52: 'an answer of a million characters, a table of thousands of rows, quotes in quotes a thousand deep',
  T40: 'a path that leads out of the workspace in any spelling',
  T43: 'the forms that only Windows gives to paths',
  T44: 'a file that is exchanged between the question and the write',
  T50: 'a change of a file that decides what runs, or who may act',
  T51: 'a change that has the editor fetch a remote schema',
  T52: 'a protected file in another case, composition or folder',
  T53: 'a change over text that the user has written meanwhile',
  T56: 'a command that shows less than it runs',

  // What the model has done
  T54: 'half of a change is carried out, because the answer with its call was cut',
  T55: 'an approval is used for another action than the one that was shown',
  T60: 'a command that reads like an allowed one and runs more',
  T61: 'a command that sends something over the network',
  T62: 'a command in a folder outside of the workspace',
  T65: 'a command that writes without end',
  T84: 'a kept conversation claims that something was approved, or has it run when it is loaded',
  T85: 'an imported conversation names a file by the id that it claims to have',

  // Windows that come and go
  R36: 'a window is reloaded in the middle of a sign-in',
  R37: 'a window is reloaded in the middle of an answer',
  R46: 'the extension host ends more than once while its window stays',
  R47: 'the view of a chat is hidden, shown or moved in the middle of an answer',
  R39: 'two windows sign in at once',
  R40: 'one window signs out while another one is being answered',

  // Time
  R33: 'the wall clock jumps while a code is shown',
  R34: 'the machine sleeps while a code is shown',
  R35: 'the machine sleeps while an answer streams',

  // Keys that could be lost
  R38: 'the one answer with the key is lost on its way',
  R41: 'a keyring that throws, hangs, forgets or returns rubbish',
  R42: 'a history that is corrupt, empty, full of zeros, of a later version or read-only',
  R43: 'a full disk while a conversation is written',
  R44: 'a folder for conversations that cannot be written',
  R45: 'the extension host is killed in the middle of a write',
  R51: 'ten thousand conversations, or as many messages in one',

  // What a server can send
  T70: 'lines, answers, headers, wrappings and JSON without end fill the memory',
  T71: 'names that every object inherits, in documents, lists and arguments',
  T72: 'a header that breaks out of its line',
  T73: 'a text that looks like events of the stream it came in',

  // Networks
  R01: 'a connection ends before an answer has begun',
  R02: 'a connection ends in the middle of an answer',
  R03: 'the other side vanishes without a word',
  R04: 'headers, and then nothing more',
  R05: 'nothing but signs of life',
  R06: 'headers and answers that come byte by byte',
  R07: 'a name that nobody knows',
  R08: 'a port that nobody listens on, an address that no way leads to',
  R09: 'certificates and handshakes that are no good',
  R10: 'a proxy wants a sign-in that nobody gave',
  R11: 'the page of a gateway in place of an answer',
  R12: 'the login page of a network in place of an answer',
  R32: 'a connection that was kept has gone stale',
  R56: 'no network at the start',
  R57: 'the oldest editor that is supported, with the Node it has',
  R58: 'an update in the middle of an answer; a downgrade finds what a later version has stored',
  R59: 'another extension changes the network of the process',

  // Refusals
  R13: 'the plan is full, and the service says until when',
  R14: 'the plan is full, and the service does not say until when',
  R15: 'the plan is full for years',
  R16: 'completions meet the plan’s limit while somebody chats',
  R17: 'the service stumbles',
  R18: 'the conversation is too long',
  R19: 'the key is revoked while it is used',
  R20: 'the model is not granted',
  R60: 'the service takes a minute to begin',

  // Odd answers
  R21: 'an answer without a body',
  R22: 'a whole answer where a stream was asked for, and a stream under another name',
  R23: 'an event that breaks off',
  R24: 'a stream without its end',
  R25: 'every spelling and every split of the same stream',
  R26: 'bytes that are no text',
  R27: 'a failure in the middle of a stream',
  R28: 'a line, a stream or an answer without end',
  R29: 'events that nobody knows, or in another order',
  R30: 'tool calls with the same id, side by side, half, or cut',
  R31: 'answers that come packed: cut, far too large, or wrapped a thousand times',
} as const satisfies Record<string, string>
