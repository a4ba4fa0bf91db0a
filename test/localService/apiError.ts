// A refusal in the form of the chat completions API.
export interface Refusal {
  readonly message: string
  readonly type: string
  readonly code: string
}

export const apiError = (
  status: number,
  { message, type, code }: Refusal,
  headers: Readonly<Record<string, string>> = {},
) => Response.json({ error: { message, type, param: null, code } }, { status, headers })

export const badRequest = (message: string, code = 'invalid_request', status = 400) =>
  apiError(status, { message, type: 'invalid_request_error', code })

/** RFC 6749 5.1: what carries tokens is kept by nobody. */
export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }
