// Every message between the extension and the chat webview, both directions.
import * as z from 'zod/mini'
import { MAX_REFERENCE_CHARS } from '../base/fileReference.ts'
import { contextUse } from './contextUse.ts'
import { conversationEvent, summaryExtras } from './conversation.ts'
import { conversationWindow, wholeTurn } from './conversationWindow.ts'
import { chip, imageTypes, offeredChip, suggestionItem } from './draft.ts'
import { MAX_LABEL_CHARS } from './fenceLabel.ts'
import { historyFromPage, historyToPage } from './historyPanel.ts'
import { remedies } from './remedy.ts'

/** The page sends only the name of the remedy; the extension applies it. */
const action = z.enum(remedies)
/** The id of the conversation that a message is about; empty before the page has any. */
const conversation = z.string().check(z.maxLength(200))
/** The id of a turn or of a queued message. */
const id = z.string().check(z.minLength(1), z.maxLength(200))
const count = z.int().check(z.minimum(0))
const scriptName = z.enum(['diagram', 'math'])
const promptText = z.string().check(z.maxLength(2_000_000))
/** The turn whose question is being changed; without one, a message is about the unsent message in the composer. */
const edited = z.optional(id)
/** Texts that are being changed in their place and were not sent: of questions by their turn, and of summaries by their id. */
const edits = z.record(id, promptText)

/** The kinds of themes, by the editor's names for them. */
const themeKind = z.enum(['vs', 'vs-dark', 'hc-black', 'hc-light'])
/** The most text in one request for colours; the longest line that has colours fits. */
export const MAX_COLOURED_CHARS = 65_536

/** A message of a conversation: the question or the answer of a turn. */
const messagePlace = z.object({ turn: id, role: z.enum(['user', 'assistant']) })

/** A message that the user has sent before. `hasAttached`: more than its text was sent. */
const pastPrompt = z.object({ text: z.string(), conversation, turn: id, hasAttached: z.boolean() })

/** One plain sentence, and the button with its remedy if there is one. */
const notice = z.object({
  text: z.string(),
  action: z.optional(z.object({ id: action, label: z.string() })),
})

const font = z.object({ sizePx: z.optional(z.number()), family: z.optional(z.string()) })

/** An image in a size that models take. */
const image = z.object({
  mediaType: z.enum(imageTypes),
  base64: z.string().check(z.maxLength(14_000_000), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  width: z.int().check(z.minimum(1)),
  height: z.int().check(z.minimum(1)),
})

/** Who is signed in, as the page draws it. */
const account = z.discriminatedUnion('is', [
  /** The stored credential is being read. */
  z.object({ is: z.literal('unknown') }),
  z.object({
    is: z.literal('out'),
    service: z.string(),
    canUseBrowser: z.optional(z.boolean()),
    notice: z.optional(notice),
  }),
  /** A sign-in is under way and there is no code to type yet. `text`: the current step, as a sentence. */
  z.object({ is: z.literal('signing-in'), service: z.string(), text: z.string() }),
  z.object({
    is: z.literal('code'),
    service: z.string(),
    /** Digits grouped for reading, such as `1234 5678`. */
    code: z.string(),
    host: z.string(),
    /** The same short tag that the service's page shows in our name. */
    tag: z.string(),
    /** The page's address for a phone: modules along one side, and the dark ones as an SVG path. */
    qr: z.optional(
      z.object({
        size: z.int().check(z.minimum(1), z.maximum(177)),
        path: z.string().check(z.regex(/^[Mhvz0-9 -]{1,200000}$/)),
      }),
    ),
    /** Milliseconds left at the moment of sending; 0 when the code has run out. The page counts on by itself. */
    remainingMs: z.number(),
    isRenewing: z.boolean(),
    /** A problem during the wait, in one sentence. */
    trouble: z.optional(z.string()),
  }),
  /** `notice`: how a sign-in ended after which the previous key is still in use. */
  z.object({
    is: z.literal('in'),
    service: z.string(),
    email: z.optional(z.string()),
    notice: z.optional(notice),
  }),
  /** The service no longer accepts the key. */
  z.object({ is: z.literal('refused'), service: z.string(), notice }),
])

/** What is being waited for. The page counts on by itself from `time`, in milliseconds at the moment of sending. */
const wait = z.object({
  /** With `TIME` where the time left, or the time since, belongs. */
  text: z.string(),
  time: z.optional(z.union([z.object({ left: z.number() }), z.object({ since: z.number() })])),
  /** Shown instead of `text` when no time is left and nothing happens automatically. */
  over: z.optional(z.string()),
  /** More about the wait, a sentence each. */
  details: z.optional(z.array(z.string())),
})

/** What the conversation is doing now. */
const activity = z.discriminatedUnion('is', [
  z.object({ is: z.literal('idle') }),
  /** Waiting for a free slot, or for as long as the service has asked for. */
  z.object({
    is: z.literal('waiting'),
    wait,
    mayRetryNow: z.boolean(),
    /** No request is under way, so another question may be sent as well. */
    maySend: z.optional(z.boolean()),
  }),
  /**
   * `wait`: the request was sent, and no response has come for a while. `isElsewhere`: another window answers, so this
   * one can neither stop the answer nor send.
   */
  z.object({ is: z.literal('answering'), wait: z.optional(wait), isElsewhere: z.optional(z.boolean()) }),
  z.object({ is: z.literal('failed'), notice }),
])

/** Of a code block; the page numbers its blocks. */
const block = z.int().check(z.minimum(0))
/** What is searched in a conversation. */
const search = {
  text: z.string().check(z.maxLength(1_000)),
  matchCase: z.optional(z.boolean()),
  wholeWord: z.optional(z.boolean()),
}
/** Numbers the requests of a page, so that it recognizes a late answer. */
const request = z.int().check(z.minimum(0))
/** The modes of a conversation that can be selected. */
const mode = z.enum(['ask', 'plan', 'edit', 'sandbox'])

/** A question of the running turn. `call`: about the tool call of this part; `continue`: whether the turn goes on. */
const question = z.discriminatedUnion('is', [
  z.object({ id, is: z.literal('call'), part: id }),
  z.object({ id, is: z.literal('continue'), text: z.string() }),
])

/** What the model may do, what it asks, and how far it is. */
const agent = z.object({
  /** Nothing where the model has no tools. */
  modes: z.array(mode),
  mode,
  questions: z.array(question),
  plan: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })),
  /** Commands that run and that no call waits for. */
  commands: z.array(z.object({ id: z.int(), command: z.string() })),
})

const lineNumber = z.int().check(z.minimum(0))
const color = z.string().check(z.regex(/^(?:#(?:[0-9A-F]{6}|[0-9A-F]{8}))?$/i))

/** The colours of a code block. */
const colours = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('coloured'),
    from: lineNumber,
    /** For each line: lengths and styles in turn; what is left of a line has the default, style 0. */
    lines: z.array(z.array(z.int().check(z.minimum(0)))),
    /**
     * The styles of these lines: index, foreground or nothing, and the bits 1 italic, 2 bold, 4 underline, 8 strikethrough;
     * for a bracket also its level, from 1 on, whose colour the theme has.
     */
    styles: z.array(
      z.tuple([
        z.int().check(z.minimum(1)),
        color,
        z.int().check(z.minimum(0), z.maximum(15)),
        z.optional(z.int().check(z.minimum(1))),
      ]),
    ),
  }),
  /** The lines before are forgotten, so the page requests the block from its first line on. */
  z.object({ is: z.literal('forgotten') }),
  /** The block has no colours. */
  z.object({ is: z.literal('plain') }),
])

/** What the name in an answer is the name of. */
const linkKind = z.enum(['file', 'symbol'])
const linkText = z.string().check(z.minLength(1), z.maxLength(MAX_REFERENCE_CHARS))
/** The most names in one request. */
export const MAX_FILE_LINKS = 40
export const MAX_SYMBOL_LINKS = 10
const fileLinks = z.array(linkText).check(z.maxLength(MAX_FILE_LINKS))
const symbolLinks = z.array(linkText).check(z.maxLength(MAX_SYMBOL_LINKS))

export const toPage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account'), account }),
  /** The conversation that is shown, with the content of its newest turns; events follow as `events`. */
  z.object({ kind: z.literal('replay'), conversation, window: conversationWindow }),
  /**
   * New events. Where there is a gap before the first of them, the page requests a new window. `confirm`: the page
   * answers with `drawn`.
   */
  z.object({
    kind: z.literal('events'),
    conversation,
    events: z.array(conversationEvent),
    confirm: z.optional(z.boolean()),
  }),
  /** The content of turns that the page has requested, as of event `n`. */
  z.object({ kind: z.literal('turns'), conversation, n: z.int(), turns: z.array(wholeTurn) }),
  /** Opens the find bar. */
  z.object({ kind: z.literal('find') }),
  /** Asks for `read`, with the message that has the focus. */
  z.object({ kind: z.literal('read-focused') }),
  /** Focuses the question after the one that has the focus or is in view, or before it. */
  z.object({ kind: z.literal('go-to-question'), by: z.union([z.literal(1), z.literal(-1)]) }),
  /** Focuses a message. */
  z.object({ kind: z.literal('focus-message'), conversation, message: messagePlace }),
  /**
   * About how often the text occurs in the messages of the path; the page counts in those that it has. Turns are left out
   * that do not have it in the source of their Markdown either.
   */
  z.object({
    kind: z.literal('found'),
    conversation,
    ...search,
    turns: z.array(z.object({ turn: z.string(), question: z.int(), answer: z.int() })),
  }),
  z.object({ kind: z.literal('activity'), conversation, activity }),
  z.object({ kind: z.literal('agent'), conversation, agent }),
  /** The end of what a running call has returned so far. */
  z.object({ kind: z.literal('call-progress'), conversation, part: id, text: z.string() }),
  z.object({ kind: z.literal('model'), id: z.optional(z.string()) }),
  z.object({ kind: z.literal('settings'), sendOnEnter: z.boolean(), font: z.optional(font) }),
  /**
   * The features that are not available in this window, and why; no notice if all are. `mayRun`: code in a terminal.
   * `lacksFolder`: no folder is open, so that the model has no tools.
   */
  z.object({
    kind: z.literal('limits'),
    notice: z.optional(notice),
    mayRun: z.optional(z.boolean()),
    lacksFolder: z.optional(z.boolean()),
  }),
  /** A changed question was not asked: its editor opens again with this text. `why`: the reason for it, as a sentence. */
  z.object({
    kind: z.literal('refused-edit'),
    conversation,
    turn: id,
    text: z.string(),
    why: z.optional(z.string()),
  }),
  /**
   * Puts a text before that of the composer, such as a prompt that was sent; in the place of the line `replaces`, where the
   * composer's text begins with it. `number`: that of the message that the page has sent and that is not asked. `why`: the
   * reason for it, as a sentence.
   */
  z.object({
    kind: z.literal('draft'),
    conversation,
    text: z.string(),
    replaces: z.optional(z.string()),
    number: z.optional(count),
    why: z.optional(z.string()),
  }),
  /** Takes a mention out of the unsent text, because the user has declined to attach what it is about. */
  z.object({ kind: z.literal('declined-mention'), conversation, text: z.string() }),
  /**
   * The unsent text of the conversation that the page shows from now on, and its time, as the page has sent them.
   * `carriesDraft`: the unsent text of the conversation before comes along.
   */
  z.object({
    kind: z.literal('kept-draft'),
    conversation,
    text: z.string(),
    at: z.number(),
    edits: z.optional(edits),
    carriesDraft: z.boolean(),
  }),
  /** What is attached to the unsent message, and what is offered to be attached. */
  z.object({
    kind: z.literal('draft-context'),
    conversation,
    edited,
    chips: z.array(chip),
    offers: z.array(offeredChip),
  }),
  /** The image of a chip that the page has asked for. */
  z.object({ kind: z.literal('chip-picture'), conversation, chip: id, mediaType: z.string(), base64: z.string() }),
  /** Has the page read and scale an image. */
  z.object({ kind: z.literal('scale-image'), request, base64: z.string() }),
  /** How much of the model's window the next request takes, or that with the changed question. */
  z.object({ kind: z.literal('context-use'), conversation, edited, use: contextUse }),
  /** The answer to `suggest`; more may follow until `isComplete`. */
  z.object({
    kind: z.literal('suggestions'),
    conversation,
    request: z.int(),
    items: z.array(suggestionItem),
    isComplete: z.boolean(),
  }),
  /** The answer to `past-prompts`, newest first. */
  z.object({
    kind: z.literal('past-prompts'),
    conversation,
    from: count,
    prompts: z.array(pastPrompt),
    isComplete: z.boolean(),
  }),
  /** Moves the keyboard focus into the composer. */
  z.object({ kind: z.literal('focus') }),
  /** `name`: the editor's name of the language. */
  z.object({ kind: z.literal('colours'), block, request, name: z.optional(z.string()), colours }),
  /** The colours of the theme have changed; the page requests those of the blocks that are visible. */
  z.object({ kind: z.literal('theme') }),
  z.object({ kind: z.literal('history'), message: historyToPage }),
  /** The answer to `script`; no text where it cannot be read. */
  z.object({ kind: z.literal('script'), name: scriptName, text: z.optional(z.string()) }),
  /** Those of the names in the last request that were found. */
  z.object({ kind: z.literal('links'), files: fileLinks, symbols: symbolLinks }),
])

export const fromPage = z.discriminatedUnion('kind', [
  /** Requests a script that the page runs at its first use. */
  z.object({ kind: z.literal('script'), name: scriptName }),
  /** The page is ready to receive its whole state. */
  z.object({ kind: z.literal('ready') }),
  /** The page lacks the events from number `from` on, and requests a new window. */
  z.object({ kind: z.literal('replay'), conversation, from: z.int().check(z.minimum(1)) }),
  /** The page has drawn the events that asked for a confirmation. */
  z.object({ kind: z.literal('drawn'), conversation }),
  /** Requests the content of turns. */
  z.object({
    kind: z.literal('turns'),
    conversation,
    turns: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(500)),
  }),
  /** Asks which messages contain the text. */
  z.object({ kind: z.literal('find'), conversation, ...search }),
  /** `chips`: what was shown as attached. `number`: by which the page knows it. */
  z.object({
    kind: z.literal('send'),
    conversation,
    text: promptText,
    chips: z.optional(z.array(id)),
    number: z.optional(count),
  }),
  /**
   * The unsent texts. `at` is the page's wall-clock time in milliseconds. `sentChars`: so much of the text was sent, and is
   * kept until the conversation has it.
   */
  z.object({
    kind: z.literal('draft'),
    conversation,
    text: z.string().check(z.maxLength(4_000_001)),
    sentChars: z.optional(count),
    at: z.number(),
    edits: z.optional(edits),
  }),
  /** Asks what may be inserted for a text that begins with the trigger. A later request takes the place of an earlier one. */
  z.object({
    kind: z.literal('suggest'),
    conversation,
    edited,
    request: z.int(),
    trigger: z.enum(['/', '@', '#']),
    text: z.string().check(z.maxLength(1_000)),
  }),
  /** The user has selected the item of the last suggestions. */
  z.object({ kind: z.literal('take-suggestion'), conversation, edited, request: z.int(), item: count }),
  z.object({ kind: z.literal('take-offer'), conversation, edited, offer: offeredChip.shape.offer }),
  z.object({ kind: z.literal('remove-chip'), conversation, chip: id }),
  z.object({ kind: z.literal('open-chip'), conversation, chip: id }),
  /** Asks for the image of a chip. */
  z.object({ kind: z.literal('show-picture'), conversation, chip: id }),
  /** Files, folders or tabs were dropped. */
  z.object({
    kind: z.literal('attach-uris'),
    conversation,
    edited,
    uris: z.array(z.string().check(z.maxLength(4_096))).check(z.maxLength(200)),
  }),
  z.object({
    kind: z.literal('attach-image'),
    conversation,
    edited,
    name: z.string().check(z.maxLength(300)),
    ...image.shape,
  }),
  /** A text that was dropped or pasted as a file. */
  z.object({
    kind: z.literal('attach-text'),
    conversation,
    edited,
    name: z.string().check(z.maxLength(300)),
    text: z.string().check(z.maxLength(1_000_000)),
  }),
  /**
   * Asks for what the user has asked in the conversation before the turn, without one for all of it, and then in other
   * conversations of the workspace. `from`: how many of them the page has.
   */
  z.object({ kind: z.literal('past-prompts'), conversation, before: z.optional(id), from: count }),
  /**
   * The message is in the composer again, with what was attached to it in the place of what was attached to the one brought
   * back before it. Without a message nothing takes that place.
   */
  z.object({
    kind: z.literal('recall'),
    conversation,
    prompt: z.optional(z.object({ text: promptText, conversation, turn: id })),
  }),
  /** The message that was brought back is written on: what was attached to it stays. */
  z.object({ kind: z.literal('keep-recalled'), conversation }),
  /** Summarizes the beginning of the conversation. */
  z.object({ kind: z.literal('compact'), conversation }),
  z.object({ kind: z.literal('stop-compaction'), conversation }),
  z.object({ kind: z.literal('dismiss-trouble'), conversation }),
  /** Without `text` the summary is removed. */
  z.object({
    kind: z.literal('change-summary'),
    conversation,
    summary: id,
    text: z.optional(z.string().check(z.minLength(1), z.maxLength(200_000))),
  }),
  /** Puts back a summary that was removed. */
  z.object({
    kind: z.literal('restore-summary'),
    conversation,
    summary: z.object({
      id,
      turn: id,
      steps: z.optional(z.int().check(z.minimum(0))),
      text: z.string().check(z.minLength(1), z.maxLength(200_000)),
      extras: z.optional(summaryExtras),
    }),
  }),
  /** Shows the request that the unsent message would be. */
  z.object({ kind: z.literal('preview-request'), conversation }),
  z.object({ kind: z.literal('stop'), conversation }),
  z.object({ kind: z.literal('set-mode'), conversation, mode }),
  /** `question`: the id that the extension has sent with the question. */
  z.object({
    kind: z.literal('answer-questions'),
    conversation,
    answers: z
      .array(
        z.object({
          question: id,
          is: z.enum(['allow', 'allow-for-conversation', 'deny']),
          reason: z.optional(z.string().check(z.maxLength(20_000))),
        }),
      )
      .check(z.maxLength(100)),
  }),
  /** Shows the change that a question is about as a diff. */
  z.object({ kind: z.literal('show-proposed'), conversation, part: id }),
  /** Stops a command that runs in the background. */
  z.object({ kind: z.literal('stop-command'), conversation, command: z.int() }),
  /** Stops one call of the answer, and the model goes on. */
  z.object({ kind: z.literal('stop-call'), conversation, part: id }),
  /** Shows what the commands of the conversation write. */
  z.object({ kind: z.literal('show-terminal'), conversation }),
  /** Restores files, the conversation or both to before the message of the turn. */
  z.object({ kind: z.literal('restore'), conversation, turn: id }),
  /** Has the plan of the last answer carried out, in the mode of a new conversation. */
  z.object({ kind: z.literal('start-plan'), conversation }),
  /** Shows the file of an attachment of a question; of a call, the instruction file with the URI `instructions`. */
  z.object({
    kind: z.literal('open-part'),
    conversation,
    turn: id,
    part: id,
    instructions: z.optional(z.string().check(z.maxLength(4_096))),
  }),
  /** Stops the running answer and asks the queued message in its place. */
  z.object({ kind: z.literal('steer'), conversation, message: id }),
  /** Takes a message out of the queue; into the composer, or to where `queue-again` finds it. */
  z.object({ kind: z.literal('withdraw'), conversation, message: id, toComposer: z.boolean() }),
  /** Queues messages again that were taken out of the queue. */
  z.object({ kind: z.literal('queue-again'), conversation, messages: z.array(id) }),
  /** Asks for the rest of the last answer. What is attached to the unsent message stays there. */
  z.object({ kind: z.literal('continue'), conversation }),
  /** Asks the question of a turn again. */
  z.object({ kind: z.literal('retry-turn'), conversation, turn: id }),
  /** The editor of a question is open: asks for what is attached to it. */
  z.object({ kind: z.literal('begin-edit'), conversation, edited: id }),
  /** The editor of a question was closed without a change. */
  z.object({ kind: z.literal('end-edit'), conversation, edited: id }),
  /** Asks a changed question in the place of an earlier one. `chips`: what was shown as attached. */
  z.object({
    kind: z.literal('edit-turn'),
    conversation,
    turn: id,
    text: promptText,
    chips: z.optional(z.array(id)),
  }),
  /** Shows another attempt at a question. */
  z.object({ kind: z.literal('choose-branch'), conversation, turn: id }),
  /** Opens a copy of the conversation up to the end of the turn. */
  z.object({ kind: z.literal('fork'), conversation, turn: id }),
  /** Hides a question with its answers; `false` shows it again. */
  z.object({ kind: z.literal('delete-turn'), conversation, turn: id, value: z.boolean() }),
  /** A button on a code block in the answer of a turn. `label`: what is written behind its fence. */
  z.object({
    kind: z.literal('code'),
    conversation,
    turn: id,
    action: z.enum(['insert', 'apply', 'new-file', 'run', 'commit-message']),
    language: z.string().check(z.maxLength(100)),
    label: z.string().check(z.maxLength(2_000)),
    text: z.string().check(z.maxLength(2_000_000)),
  }),
  /** What is to be done with the open changes in the conversation: of one file, of one turn, or without both all of them. */
  z.object({
    kind: z.literal('change'),
    conversation,
    action: z.enum(['keep', 'undo', 'diff']),
    uri: z.optional(z.string().check(z.maxLength(8_192))),
    turn: z.optional(id),
  }),
  /** `conversation`: the one that was shown before. */
  z.object({ kind: z.literal('new-chat'), conversation }),
  z.object({ kind: z.literal('act'), conversation, action }),
  z.object({ kind: z.literal('history'), message: historyFromPage }),
  /** Whether the page has the keyboard focus. */
  z.object({ kind: z.literal('focused'), value: z.boolean() }),
  /** Shows the message, or without one the last answer, as plain text. */
  z.object({ kind: z.literal('read'), conversation, message: z.optional(messagePlace) }),
  z.object({ kind: z.literal('copy-code') }),
  z.object({ kind: z.literal('open-browser') }),
  z.object({ kind: z.literal('cancel-sign-in') }),
  /** A link in an answer was clicked; the extension checks its address again and asks the user. */
  z.object({ kind: z.literal('open'), url: z.string().check(z.maxLength(2_048)) }),
  /** Asks which of the names in answers are those of files and symbols of the workspace. One request is open at a time. */
  z.object({ kind: z.literal('find-links'), files: fileLinks, symbols: symbolLinks }),
  /** The extension finds the name again, and opens what it names. */
  z.object({ kind: z.literal('open-link'), target: linkKind, text: linkText }),
  /** Requests the colours of further lines of a code block. At most one request of a block is open. */
  z.object({
    kind: z.literal('colour'),
    block,
    request,
    /** The first line of the fence. */
    label: z.string().check(z.maxLength(MAX_LABEL_CHARS)),
    /** The theme that the editor draws the page in. */
    theme: z.object({ id: z.string().check(z.maxLength(200)), kind: themeKind }),
    /** The number of lines before `text`, which the page has the colours of; 0 begins the block anew. */
    from: lineNumber,
    text: z.string().check(z.maxLength(MAX_COLOURED_CHARS)),
    /** The last line may still grow, so the next request begins with it again. */
    isOpen: z.boolean(),
  }),
  /** The answer to `scale-image`; no image where it cannot be read. */
  z.object({ kind: z.literal('scaled-image'), request, image: z.optional(image) }),
  /** A fault of the page, for the log. */
  z.object({ kind: z.literal('report'), text: z.string().check(z.maxLength(2_000)) }),
])

export type ScriptName = z.infer<typeof scriptName>
export type PastPrompt = z.infer<typeof pastPrompt>
export type MessagePlace = z.infer<typeof messagePlace>
export type Notice = z.infer<typeof notice>
export type ChatFont = z.infer<typeof font>
export type PanelAccount = z.infer<typeof account>
export type PanelWait = z.infer<typeof wait>
export type PanelActivity = z.infer<typeof activity>
export type ThemeKind = z.infer<typeof themeKind>
export type PanelAgent = z.infer<typeof agent>
export type PanelQuestion = z.infer<typeof question>
export type ModeId = z.infer<typeof mode>
export type LinkKind = z.infer<typeof linkKind>
export type BlockColours = z.infer<typeof colours>
export type ToPage = z.infer<typeof toPage>
export type CodeMessage = Extract<FromPage, { kind: 'code' }>
export type ChangeMessage = Extract<FromPage, { kind: 'change' }>
export type FromPage = z.infer<typeof fromPage>
