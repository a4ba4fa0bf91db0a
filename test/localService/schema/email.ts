// An email address as the service takes it; white space around it does no harm.
import * as z from 'zod'

export const email = (sentence: string) =>
  z
    .string(sentence)
    .max(254, sentence)
    .regex(/^\s*[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*\s*$/, sentence)
