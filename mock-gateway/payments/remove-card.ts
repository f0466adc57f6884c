import { cancelWithin } from '../cards/stored-cards.ts'
import { record } from '../outbox/record.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { OpenWork } from '../work/work.ts'

/**
 * Removes a stored card as the API does (decision 50), on the page of a payment, whose log says so.
 * One that is removed already stays as it is, and nothing is said.
 * @param card one that the payment's customer may pay with
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
