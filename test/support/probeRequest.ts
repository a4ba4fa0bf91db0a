// `probeRequest`: the words by which a request is known that finds out how a model is asked for completions.

export const probeRequest = 'function volume(width, height, depth)'
