// `ChatHead`: the line above the transcript: title, open chats, history, new chat, and what else can be done with the chat.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import { titleText } from '../../protocol/conversationPath.ts'
import type { OpenSessionState } from '../../protocol/historyPanel.ts'
import type { HistoryStore } from '../state/historyStore.ts'
import type { PageState, Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { Icon, type IconName } from './icon.tsx'
import { Menu, type MenuItem, type MenuPlace } from './menu.tsx'
import { RenameBox } from './renameBox.tsx'
import { useWords } from './wordsContext.ts'

interface Props {
  readonly state: PageState
  readonly store: Store
  readonly history: HistoryStore
}

type OpenMenu = { readonly is: 'actions' | 'chats'; readonly place: MenuPlace }

export function ChatHead({ state, store, history }: Props) {
  const words = useWords()
  const [renaming, setRenaming] = useState<'never' | 'now' | 'done'>('never')
  const [menu, setMenu] = useState<OpenMenu>()
  const { conversation } = state
  const head = history.head.value
  const isOfHead = head.conversation === conversation.conversation
  const title = sanitizeLine(conversation.title?.text || (isOfHead && head.title) || titleText(conversation), 200)
  // The title bar of the view has the same buttons, but where the key is refused; that of a tab has not.
  const hasTitleBar = isOfHead && head.place === 'side-bar' && state.account.is === 'in'
  const others = head.sessions.filter(session => session.conversation !== conversation.conversation)
  const openMenu = (is: OpenMenu['is']) => (event: MouseEvent) =>
    setMenu(
      event.currentTarget instanceof Element ? { is, place: event.currentTarget.getBoundingClientRect() } : undefined,
    )
  return (
    <header class="head">
      <h1>
        {renaming === 'now' ? (
          <RenameBox
            title={title}
            onRename={text => history.rename(conversation.conversation, text)}
            onClose={isByKey => setRenaming(isByKey ? 'done' : 'never')}
          />
        ) : (
          <Title
            title={title}
            isEmpty={conversation.n === 0}
            hasFocus={renaming === 'done'}
            onRename={() => setRenaming('now')}
          />
        )}
      </h1>
      {conversation.n > 0 && (
        <HeadButton
          icon="more"
          label={words.of('chatActions')}
          isMenuOpen={menu?.is === 'actions'}
          onClick={openMenu('actions')}
        />
      )}
      <span class="head-space" />
      {others.length > 0 && (
        <button
          type="button"
          class={others.some(isAtWork) ? 'icon-button head-chats at-work' : 'icon-button head-chats'}
          aria-haspopup="menu"
          aria-expanded={menu?.is === 'chats'}
          aria-label={words.of('openChatsCount', { count: others.length + 1 })}
          title={words.of('openChats')}
          onClick={openMenu('chats')}
        >
          {others.length + 1}
          <Icon name="more" size={12} />
        </button>
      )}
      {!hasTitleBar && (
        <>
          <HeadButton icon="history" label={words.of('history')} onClick={() => history.show()} />
          <HeadButton
            icon="add"
            label={words.of('newChat')}
            onClick={() => store.send({ kind: 'new-chat', conversation: conversation.conversation })}
          />
        </>
      )}
      {menu && (
        <Menu
          label={words.of(menu.is === 'chats' ? 'openChats' : 'chatActions')}
          items={
            menu.is === 'chats' ? chatItems(state, title, history, words) : actionItems(state, title, history, words)
          }
          place={menu.place}
          onClose={() => setMenu(undefined)}
        />
      )}
    </header>
  )
}

interface TitleProps {
  readonly title: string
  readonly isEmpty: boolean
  /** Takes the focus when it appears. */
  readonly hasFocus: boolean
  readonly onRename: () => void
}

function Title({ title, isEmpty, hasFocus, onRename }: TitleProps) {
  const words = useWords()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hasFocus) button.current?.focus()
  }, [])
  if (isEmpty) return <span class="head-title muted">{words.of('newChat')}</span>
  const name = title || words.of('untitled')
  return (
    <button
      ref={button}
      type="button"
      class="head-title"
      aria-label={words.of('renameTitle', { title: name })}
      title={name}
      onClick={onRename}
    >
      {name}
    </button>
  )
}

interface ButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly isMenuOpen?: boolean
  readonly onClick: (event: MouseEvent) => void
}

function HeadButton({ icon, label, isMenuOpen, onClick }: ButtonProps) {
  const popup = isMenuOpen === undefined ? {} : ({ 'aria-haspopup': 'menu', 'aria-expanded': isMenuOpen } as const)
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick} {...popup}>
      <Icon name={icon} />
    </button>
  )
}

const isAtWork = ({ state }: { readonly state: OpenSessionState }) => state !== 'idle' && state !== 'failed'

/** The shown conversation among the others, in the order in which they were opened. */
function chatItems(state: PageState, title: string, history: HistoryStore, words: Words): MenuItem[] {
  const shown = state.conversation.conversation
  const { sessions } = history.head.value
  const isListed = sessions.some(({ conversation }) => conversation === shown)
  const own: MenuItem = { label: title || words.of('newChat'), isChecked: true, run: () => {} }
  const all = sessions.map(({ conversation, title, state }): MenuItem => {
    const note = stateText(state, words)
    return {
      label: sanitizeLine(title, 200) || words.of('untitled'),
      ...(note && { note }),
      isChecked: conversation === shown,
      run: () => history.open({ conversation }),
    }
  })
  return isListed ? all : [...all, own]
}

export function stateText(state: OpenSessionState, words: Words): string | undefined {
  switch (state) {
    case 'idle':
      return undefined
    case 'answering':
      return words.of('stateAnswering')
    case 'waiting':
      return words.of('stateWaiting')
    case 'following':
      return words.of('stateFollowing')
    case 'failed':
      return words.of('stateFailed')
  }
}

function actionItems(
  { conversation: state }: PageState,
  title: string,
  history: HistoryStore,
  words: Words,
): MenuItem[] {
  const { conversation, isPinned, isArchived } = state
  const isInEditor = history.head.value.place === 'editor'
  return [
    { label: words.of(isInEditor ? 'moveToSideBar' : 'openInEditor'), run: () => history.move() },
    {
      label: words.of(isPinned ? 'unpin' : 'pin'),
      run: () => history.setFlag(conversation, 'pinned', !isPinned),
    },
    {
      label: words.of(isArchived ? 'unarchive' : 'archive'),
      run: () => history.setFlag(conversation, 'archived', !isArchived),
    },
    { label: words.of('exportChat'), run: () => history.exportChat(conversation) },
    { label: words.of('deleteChat'), run: () => history.delete({ conversation, title, wasShown: true }) },
  ]
}
