// The package `@mermaid-js/tiny`, which has no types: it puts Mermaid into a global.
declare module '@mermaid-js/tiny' {}

declare namespace mermaid {
  function initialize(config: object): void
  function render(id: string, source: string, container: Element): Promise<unknown>
}
