// The types of `@joplin/turndown-plugin-gfm`, which brings none.
declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown'
  export function gfm(service: TurndownService): void
}
