// `Menu`: a menu at a place of the page, by keyboard and pointer.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface MenuItem {
  readonly label: string
  /** Beside the label, such as what a chat is doing. */
  readonly note?: string
  /** Of a choice: whether it is the current one. */
  readonly isChecked?: boolean
  readonly run: () => void
}

/** Below this place of the page, right-aligned. */
export interface MenuPlace {
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface Props {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly place: MenuPlace
  readonly onClose: () => void
}

/** Focuses its first item, and on its end what had the focus before. */
export function Menu({ label, items, place, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState<{ readonly left: string; readonly top: string }>()
  useLayoutEffect(() => {
    if (menu.current) setPosition(positionOf(menu.current, place))
  }, [place])
  useFocusInside(menu, position !== undefined)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    } else if (moveFocus(menu.current, event.key)) event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div class="menu-cover" aria-hidden="true" onPointerDown={onClose} onContextMenu={onClose} />
      <div
        ref={menu}
        class="menu"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        style={position ?? { visibility: 'hidden' }}
        onKeyDown={onKeyDown}
      >
        {items.map(({ label, note, isChecked, run }) => (
          <button
            key={label}
            type="button"
            class={isChecked ? 'menu-item current' : 'menu-item'}
            {...roleOf(isChecked)}
            tabIndex={-1}
            onClick={() => {
              onClose()
              run()
            }}
          >
            <span class="menu-label">{label}</span>
            {note && <span class="menu-note">{note}</span>}
          </button>
        ))}
      </div>
    </>
  )
}

function roleOf(isChecked: boolean | undefined) {
  return isChecked === undefined
    ? ({ role: 'menuitem' } as const)
    : ({ role: 'menuitemradio', 'aria-checked': isChecked } as const)
}

/** Above the place where there is no room below it. */
function positionOf(menu: HTMLElement, { right, top, bottom }: MenuPlace) {
  const { width, height } = menu.getBoundingClientRect()
  const isBelow = bottom + height <= window.innerHeight || top < height
  const left = Math.max(2, Math.min(right - width, window.innerWidth - width - 2))
  const y = isBelow ? Math.max(2, Math.min(bottom, window.innerHeight - height - 2)) : top - height
  return { left: `${left}px`, top: `${y}px` }
}

function useFocusInside(menu: { current: HTMLDivElement | null }, isPlaced: boolean): void {
  useLayoutEffect(() => {
    if (!isPlaced) return
    const items = itemsOf(menu.current)
    const current = items.find(item => item.classList.contains('current')) ?? items[0]
    current?.focus()
  }, [isPlaced])
  const before = useRef(document.activeElement)
  useLayoutEffect(
    () => () => {
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
    [],
  )
}

function itemsOf(menu: HTMLElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('.menu-item') ?? [])]
}

function moveFocus(menu: HTMLElement | null, key: string): boolean {
  const items: readonly (Element | null)[] = itemsOf(menu)
  const at = items.indexOf(document.activeElement)
  const goals: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }
  const goal = goals[key]
  if (goal === undefined) return false
  itemsOf(menu)[goal]?.focus()
  return true
}
