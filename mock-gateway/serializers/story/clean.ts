import { withoutCardNumbers } from '../../domain/card/numbers.ts'
import { withoutSecrets } from '../../domain/without-secrets.ts'
import type { Story } from './story.ts'

/** Logins in addresses, such as `https://name:password@shop.example`. */
const LOGIN = /(\bhttps?:\/\/)[^\s/@"\\]+@/gi

/**
 * Prepares a story for other people, for example for a bug report: removes card numbers and
 * secrets.
 * @param secrets of the merchant, and tokens that open pages of this payment
 */
export function cleanStory(story: Story, secrets: readonly (string | undefined)[]): Story {
  const text = withoutSecrets(JSON.stringify(withoutCardNumbers(story, true)), secrets)
  return JSON.parse(text.replace(LOGIN, '$1***@'))
}
