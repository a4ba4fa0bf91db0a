// `ModelMemory`: a port that keeps over restarts what was learnt about models.

export interface ModelMemory {
  get(key: string): unknown
  /** Undefined removes what was kept. */
  set(key: string, value: unknown): void
}
