// `streamFrame`: a part of a streamed answer as an OpenAI-compatible server sends it.

export const streamFrame = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`

export const lastStreamFrames = `${streamFrame({}, 'stop')}data: [DONE]\n\n`
