import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { findRow, findRows } from '../../storage/rows.ts'
import { findChargeableCards } from '../../storage/stored-cards.ts'
import type { PlanRow } from '../../storage/tables/plans.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import { exchangeOf } from '../http/exchange.ts'
import { listOfferedPlans, MOST_CHOICES } from './listed-plans.ts'
import { offeredMethods } from './methods.ts'
import type { PaymentVisit } from './visit.ts'

/** The payer's choices on the page. */
export interface PageChoices {
  readonly methods: readonly PageMethod[]
  /** Stored cards of the customer that the merchant named. */
  readonly cards: readonly StoredCardRow[]
  /** The payer may store the card. */
  readonly canStore: boolean
  /** Plans that the payer may choose from. */
  readonly plans: readonly PlanRow[]
}

/** Loads the choices on a payment's page. */
export async function loadChoices({
  response,
  row,
  merchant,
  now,
}: PaymentVisit): Promise<PageChoices> {
  const { service } = exchangeOf(response)
  const { db } = service.database
  const isKnown = row.customer_ref !== null && row.customer_id !== null
  const of = { merchantId: merchant.id, customerId: row.customer_id ?? 0, test: row.test, now }
  const plans = await findRows(db, 'plans', merchant.id, listOfferedPlans(row))
  return {
    methods: offeredMethods(row, merchant),
    cards: isKnown ? await findChargeableCards(db, of, MOST_CHOICES) : [],
    canStore: isKnown && !row.store_card && merchant.settings.payer_options.includes('store_card'),
    plans: [...plans.values()].filter(
      ({ status, prices }) => status === 'active' && prices[row.currency] !== undefined,
    ),
  }
}

/**
 * Finds the chosen stored card by its id: the page does not contain tokens. A card cancelled since
 * the page was shown is found too, so that the payment reports it (150).
 */
export async function findChosenCard(
  { response, row, merchant }: PaymentVisit,
  id: string | undefined,
): Promise<StoredCardRow | undefined> {
  if (row.customer_ref === null || id === undefined || !/^[1-9]\d{0,14}$/.test(id)) return undefined
  const card = await findRow(
    exchangeOf(response).service.database.db,
    'stored_cards',
    merchant.id,
    Number(id),
  )
  const fits =
    card && card.customer_id === row.customer_id && card.test === row.test && !card.recurring
  return fits ? card : undefined
}
