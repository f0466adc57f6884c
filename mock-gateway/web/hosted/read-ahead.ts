import { setTimeout } from 'node:timers/promises'
import { LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import { NOTHING } from '../../domain/money/money.ts'
import type { Views } from '../pages/engine.ts'
import { moneyText } from '../pages/money-text.ts'
import { readOnce } from '../pages/read-once.ts'

/** How long a payment's answer has before the page of its payer is read, in milliseconds. */
const ANSWER_MS = 10

/**
 * Reads what the payment page is made of once a payment waits for its payer: views, and how amounts are written. The
 * first payer after a start would wait for it, some 45 ms; a gateway that shows no page needs none of it (decision 116).
 * @returns what is called when a payer is to come
 */
export function readAhead(views: Views): () => void {
  const readPage = readOnce(async () => {
    await setTimeout(ANSWER_MS, undefined, { ref: false })
    await views.ahead('hosted/views/payment-form', 'hosted/views/methods/card')
    for (const locale of Object.keys(LANGUAGES) as Locale[]) moneyText(NOTHING, 'sek', locale)
  })
  // What cannot be read, the page says when it is asked for.
  return () => void readPage().catch(() => {})
}
