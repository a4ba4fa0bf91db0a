// The response of the model list, with each model's token limits.
import * as z from 'zod/mini'

const count = z.catch(z.nullish(z.number().check(z.positive())), undefined)

const listed = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.catch(z.nullish(z.string()), undefined),
  context_length: count,
  max_input_tokens: count,
  max_output_tokens: count,
})

/** `GET {base_url}/v1/models`. An entry without a valid id is left out. */
export const modelList = z.object({
  data: z.pipe(
    z.array(z.unknown()),
    z.transform(entries => entries.flatMap(entry => listed.safeParse(entry).data ?? [])),
  ),
})
