// `localTime`: the time of the day in the editor's display language.
import { textLanguage } from './textLanguage.ts'

/** Hours and minutes, such as `14:35` or `2:35 PM`. */
export function localTime(time: number): string {
  return new Intl.DateTimeFormat(textLanguage(), { hour: 'numeric', minute: '2-digit' }).format(time)
}
