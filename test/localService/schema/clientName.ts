// What a program calls itself on the pages.
import * as z from 'zod'

const sentence = "'client_name' must be a text of 1 to 100 characters on one line."

export const clientName = z
  .string(sentence)
  .max(100, sentence)
  // Looked ahead once: a pattern that tries each place in turn takes for ever with a text of some megabytes.
  .regex(/^(?=.*\S)\P{Cc}*$/u, sentence)
