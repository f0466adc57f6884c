import { cancelWithin } from '../cards/stored-cards.ts'
import { record } from '../outbox/record.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { OpenWork } from '../work/work.ts'

/**
 * Deletes a stored card on the page of a payment, as the API does (decision 50), with an entry in
 * the payment's log. Does nothing if the card is already deleted.
 * @param card a card that the payment's customer can pay with
 */
export const removeCardOnPage = (
  work: OpenWork,
  row: TransactionRow,
  card: StoredCardRow,
): Promise<void> =>
  work.write(async (steps) => {
    if (card.status !== 'active') return
    await cancelWithin(steps, card.id)
    await record(steps, row, [{ event: 'card_removed', stored_card_id: card.id }])
  })
