// Port: the sign-in servers that the user has agreed to, which outlive the window.

export interface KnownServers {
  /** Both are hosts: that of the API, and that of the sign-in server which it names. */
  has(api: string, server: string): boolean
  add(api: string, server: string): void
}
