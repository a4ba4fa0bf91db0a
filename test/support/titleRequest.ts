// `titleRequest`: the words by which a request for the title of a chat is known.

export const titleRequest = 'Write a title for the conversation'
