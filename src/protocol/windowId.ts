// `windowId`: the id of a window of the editor, to which its pages answer.
import * as z from 'zod/mini'

export const windowId = z.string().check(z.regex(/^[\w-]{1,64}$/))
