// `SurfaceId`: the ids of the three surfaces.

export const surfaceIds = ['chat-completions', 'responses', 'messages'] as const
export type SurfaceId = (typeof surfaceIds)[number]
