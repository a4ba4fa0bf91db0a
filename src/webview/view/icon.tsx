// `Icon` and `StopIcon`: the icons of the page, hidden from screen readers because the elements around them have labels.

const paths = {
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  done: 'M3 8.5 6.5 12 13 4.5',
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  more: 'M4 6.5 8 10.5l4-4',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.3',
  courier: 'M14.5 1.5 1.5 6.6l4.8 2.3 2.4 5.6zM14.5 1.5 6.3 8.9',
}

export function Icon({ name, size = 16 }: { name: keyof typeof paths; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}

export function StopIcon() {
  return (
    <svg class="icon solid" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <rect x="4" y="4" width="8" height="8" rx="1" />
    </svg>
  )
}
