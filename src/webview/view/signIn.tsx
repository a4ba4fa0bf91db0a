// `SignIn`: the page while signed out: the sign-in buttons, and the code with its countdown and buttons.
import { useEffect, useState } from 'preact/hooks'
import { never } from '../../base/fault.ts'
import { countdown, sanitizeLine } from '../../base/text.ts'
import type { PanelAccount } from '../../protocol/panel.ts'
import type { Store } from '../state/store.ts'
import type { Words } from '../words.ts'
import { Banner } from './banner.tsx'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

type CodeAccount = Extract<PanelAccount, { is: 'code' }>
type SigningIn = Extract<PanelAccount, { is: 'out' | 'signing-in' | 'code' }>

export function SignIn({ account, store }: { account: SigningIn; store: Store }) {
  const words = useWords()
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <Icon name="courier" size={32} />
        <h1>{words.of('signInTo', { service: sanitizeLine(account.service, 80) })}</h1>
        <Step account={account} store={store} />
      </div>
    </main>
  )
}

function Step({ account, store }: { account: SigningIn; store: Store }) {
  switch (account.is) {
    case 'out':
      return <SignedOut account={account} store={store} />
    case 'signing-in':
      return <WaitingForService text={account.text} store={store} />
    case 'code':
      return <CodeCard account={account} store={store} />
    default:
      return never(account)
  }
}

function SignedOut({ account, store }: { account: Extract<PanelAccount, { is: 'out' }>; store: Store }) {
  const words = useWords()
  return (
    <>
      <p class="muted">{words.of('signInReason')}</p>
      {account.notice && <Banner notice={account.notice} store={store} />}
      <button type="button" class="primary" onClick={() => store.act('sign-in')}>
        {words.of('signIn')}
      </button>
      {account.canUseBrowser && (
        <button type="button" class="secondary" onClick={() => store.act('sign-in-with-browser')}>
          {words.of('signInWithBrowser')}
        </button>
      )}
      <button type="button" class="quiet" onClick={() => store.act('use-key')}>
        {words.of('useKey')}
      </button>
    </>
  )
}

function WaitingForService({ text, store }: { text: string; store: Store }) {
  return (
    <>
      <p role="status">{sanitizeLine(text)}</p>
      <div class="progress" aria-hidden="true" />
      <CancelButton store={store} />
    </>
  )
}

const CancelButton = ({ store }: { store: Store }) => (
  <button type="button" class="quiet" onClick={() => store.send({ kind: 'cancel-sign-in' })}>
    {useWords().of('cancel')}
  </button>
)

function CodeCard({ account, store }: { account: CodeAccount; store: Store }) {
  const words = useWords()
  const leftMs = useTimeLeft(account)
  const isOver = leftMs <= 0
  const isUnusable = isOver || account.isRenewing
  const copy = () => {
    store.send({ kind: 'copy-code' })
    store.announce(words.of('codeCopied'))
  }
  const renew = () => store.act('new-code')
  return (
    <fieldset class="code-card" aria-label={words.of('code')}>
      <p>{words.around('enterCode', { host: <strong class="host">{sanitizeLine(account.host, 120)}</strong> })}</p>
      <p class={isUnusable ? 'digits over' : 'digits'}>{sanitizeLine(account.code, 40)}</p>
      <TimeLeft leftMs={leftMs} isRenewing={account.isRenewing} />
      <p class="code-trouble" role="status">
        {sanitizeLine(account.trouble ?? '')}
      </p>
      <div class="code-buttons">
        <button
          type="button"
          class={isOver ? 'secondary' : 'primary'}
          disabled={isUnusable}
          onClick={() => store.send({ kind: 'open-browser' })}
        >
          {words.of('openBrowser')}
        </button>
        <button type="button" class="secondary" disabled={isUnusable} onClick={copy}>
          {words.of('copyCode')}
        </button>
      </div>
      {account.qr && !isUnusable && <QrCode qr={account.qr} host={account.host} />}
      <p class="caution">{words.around('checkTag', { tag: <strong>{sanitizeLine(account.tag, 60)}</strong> })}</p>
      <div class="code-ends">
        <button type="button" class={isOver ? 'primary' : 'quiet'} disabled={account.isRenewing} onClick={renew}>
          {words.of('newCode')}
        </button>
        <CancelButton store={store} />
      </div>
    </fieldset>
  )
}

/** Dark on light in every theme, with the quiet zone of four modules (ISO/IEC 18004). */
function QrCode({ qr: { size, path }, host }: { qr: NonNullable<CodeAccount['qr']>; host: string }) {
  const words = useWords()
  const side = size + 8
  return (
    <figure class="qr">
      <svg
        viewBox={`-4 -4 ${side} ${side}`}
        role="img"
        aria-label={words.of('qrCode', { host: sanitizeLine(host, 120) })}
      >
        <rect x="-4" y="-4" width={side} height={side} fill="#fff" />
        <path d={path} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <figcaption>{words.of('qrCaption')}</figcaption>
    </figure>
  )
}

/** Shown every second; announced at whole minutes, half a minute before the end, and at the end. */
function TimeLeft({ leftMs, isRenewing }: { leftMs: number; isRenewing: boolean }) {
  const words = useWords()
  return (
    <>
      <p class="time-left" role="timer" aria-live="off">
        {timeText(leftMs, isRenewing, words)}
      </p>
      <span class="unseen" aria-live="polite">
        {announcedTime(leftMs, isRenewing, words)}
      </span>
    </>
  )
}

function timeText(leftMs: number, isRenewing: boolean, words: Words): string {
  if (isRenewing) return words.of('gettingCode')
  return leftMs <= 0 ? words.of('codeOver') : words.of('timeLeft', { time: countdown(leftMs) })
}

function announcedTime(leftMs: number, isRenewing: boolean, words: Words): string {
  if (isRenewing || leftMs <= 0) return timeText(leftMs, isRenewing, words)
  if (leftMs <= 30_000) return words.of('lessThanHalfMinuteLeft')
  const count = Math.ceil(leftMs / 60_000)
  return count === 1 ? words.of('minutesLeftOne') : words.of('minutesLeft', { count })
}

function useTimeLeft(account: CodeAccount): number {
  const [left, setLeft] = useState({ of: account, ms: account.remainingMs })
  useEffect(() => {
    const endsAt = performance.now() + account.remainingMs
    const tick = () => setLeft({ of: account, ms: Math.max(0, endsAt - performance.now()) })
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [account])
  return left.of === account ? left.ms : account.remainingMs
}
