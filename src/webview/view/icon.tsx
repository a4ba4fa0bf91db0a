// `Icon` and `StopIcon`: the icons of the page, hidden from screen readers because the elements around them have labels.

const paths = {
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  done: 'M3 8.5 6.5 12 13 4.5',
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  up: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  down: 'M8 3v10M3.5 8.5 8 13l4.5-4.5',
  more: 'M4 6.5 8 10.5l4-4',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.4v.3',
  close: 'M4 4l8 8M12 4l-8 8',
  edit: 'M3 13l.7-3L10.9 2.8l2.3 2.3L6 12.3zM9.5 4.2l2.3 2.3',
  delete: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 2v2.8h-2.8',
  branch:
    'M5 5.5v5M5 8c4 0 6 .2 6-2.6M5 5.4a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM5 13.8a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM11 5.4a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  add: 'M8 3v10M3 8h10',
  open: 'M9 3h4v4M13 3 7.5 8.5M6 4H3v9h9v-3',
  attach: 'M13 7.5 8.2 12.3a3 3 0 0 1-4.3-4.3l5.2-5.2a2 2 0 0 1 2.9 2.9L7 10.7a1 1 0 0 1-1.5-1.4L10 4.8',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.2-3.2 2.6 2.6 2-2 3.2 3.1M10.5 6.2h.01',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  folder: 'M2 4h4l1.5 1.5H14V13H2z',
  selection: 'M3 4h10M3 7h6M3 10h8M3 13h4',
  symbol: 'M8 2 13.5 5v6L8 14l-5.5-3V5zM8 8v6M8 8 2.5 5M8 8l5.5-3',
  terminal: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10h3',
  change: 'M8 2.5v6M5 5.5h6M5 12.5h6',
  commit: 'M8 2v3.5M8 10.5V14M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  instructions: 'M3.5 2h9v12h-9zM5.5 5h5M5.5 8h5M5.5 11h3',
  repository: 'M3.5 2h9v12h-9zM3.5 11h9M6 2v9',
  outline: 'M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5',
  command: 'M10.5 2.5 5.5 13.5',
  insert: 'M3 3v10M13 8H6M9.5 4.5 6 8l3.5 3.5',
  apply: 'M9 2H4v12h8V5zM9 2v3h3M6 9.3l1.5 1.5 3-3',
  newFile: 'M9 2H4v12h8V5zM9 2v3h3M8 7.2v4M6 9.2h4',
  run: 'M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10.3h2.7',
  undo: 'M6.5 3.5 4 6l2.5 2.5M4 6h6a3 3 0 0 1 0 6H6',
  diff: 'M8 3v6M5 6h6M5 12.5h6',
  find: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  history: 'M2.6 6.2A5.7 5.7 0 1 1 2.3 9M2.2 3v3.4h3.4M8 5v3.3l2.2 1.5',
  menu: 'M3.2 8a.3.3 0 1 0 .6 0a.3.3 0 1 0-.6 0M7.7 8a.3.3 0 1 0 .6 0a.3.3 0 1 0-.6 0M12.2 8a.3.3 0 1 0 .6 0a.3.3 0 1 0-.6 0',
  pin: 'M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M6.2 6.3V13M2.5 9.7h11',
  courier: 'M14.5 1.5 1.5 6.6l4.8 2.3 2.4 5.6zM14.5 1.5 6.3 8.9',
}

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
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
