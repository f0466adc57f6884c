import { withoutCardNumbers } from '../../domain/card/numbers.ts'
import { withoutSecrets } from '../../domain/without-secrets.ts'
import type { Story } from './story.ts'

/** Logins in addresses, such as `https://name:password@shop.example`. */
const LOGIN = /(\bhttps?:\/\/)[^\s/@"\\]+@/gi

/**
 * A story that may be shown to others, attached to a bug say: without card numbers, and without
 * these texts wherever somebody has put them.
 * @param secrets of the merchant, and whatever opens pages of this payment
 */
export function cleanStory(story: Story, secrets: readonly (string | undefined)[]): Story {
  const text = withoutSecrets(JSON.stringify(withoutCardNumbers(story, true)), secrets)
  return JSON.parse(text.replace(LOGIN, '$1***@'))
}
