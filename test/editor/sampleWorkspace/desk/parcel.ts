// Reads what a customer typed into the form at the counter.

export interface Parcel {
  readonly sender: string
  readonly recipient: string
  readonly weightGrams: number
  readonly lengthMillimetres: number
  readonly widthMillimetres: number
}

export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

export function readSender(text: string): Reading<string> {
  const name = text.trim()
  if (name === '') return { ok: false, problem: 'Please say who sends the parcel.' }
  if (name.length > 80) return { ok: false, problem: 'The name of the sender is too long.' }
  return { ok: true, value: name }
}

export function readRecipient(text: string): Reading<string> {
  const name = text.trim()
  if (name === '') return { ok: false, problem: 'Please say who receives the parcel.' }
  if (name.length > 80) return { ok: false, problem: 'The name of the recipient is too long.' }
  return { ok: true, value: name }
}

export function readWeight(text: string): Reading<number> {
  const grams = Number(text.replace(',', '.')) * 1000
  if (Number.isNaN(grams)) return { ok: false, problem: 'The weight must be a number of kilograms.' }
  if (grams <= 0) return { ok: false, problem: 'The weight must be more than nothing.' }
  if (grams > 31_500) return { ok: false, problem: 'A parcel may weigh 31.5 kg at most.' }
  return { ok: true, value: Math.round(grams) }
}

export function readLength(text: string): Reading<number> {
  const millimetres = Number(text.replace(',', '.')) * 10
  if (Number.isNaN(millimetres)) return { ok: false, problem: 'The length must be a number of centimetres.' }
  if (millimetres <= 0) return { ok: false, problem: 'The length must be more than nothing.' }
  if (millimetres > 1_200) return { ok: false, problem: 'A parcel may be 120 cm long at most.' }
  return { ok: true, value: Math.round(millimetres) }
}

export function readWidth(text: string): Reading<number> {
  const millimetres = Number(text.replace(',', '.')) * 10
  if (Number.isNaN(millimetres)) return { ok: false, problem: 'The width must be a number of centimetres.' }
  if (millimetres <= 0) return { ok: false, problem: 'The width must be more than nothing.' }
  if (millimetres > 600) return { ok: false, problem: 'A parcel may be 60 cm wide at most.' }
  return { ok: true, value: Math.round(millimetres) }
}

export function readParcel(form: Readonly<Record<string, string>>): Parcel | string[] {
  const sender = readSender(form['sender'] ?? '')
  const recipient = readRecipient(form['recipient'] ?? '')
  const weight = readWeight(form['weight'] ?? '')
  const length = readLength(form['length'] ?? '')
  const width = readWidth(form['width'] ?? '')
  if (sender.ok && recipient.ok && weight.ok && length.ok && width.ok) {
    return {
      sender: sender.value,
      recipient: recipient.value,
      weightGrams: weight.value,
      lengthMillimetres: length.value,
      widthMillimetres: width.value,
    }
  }
  return [sender, recipient, weight, length, width].flatMap(reading => (reading.ok ? [] : [reading.problem]))
}
