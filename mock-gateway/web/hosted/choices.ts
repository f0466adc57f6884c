import type { PaymentMethod } from '../../contract/wire.ts'
import { detectBrand } from '../../domain/card/card-types.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { parseAmount } from '../../domain/money/money.ts'
import { findItemsRefusal, hasTotal } from '../../domain/order/items.ts'
import {
  getRules,
  METHODS_BY_OLD_NAME,
  PAGE_METHODS,
  type PageMethod,
} from '../../domain/order/payment-methods.ts'
import {
  readWallet,
  WALLET_CARDS,
  type WalletCard,
  type WalletType,
} from '../../domain/order/wallets.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { findRow, findRows } from '../../storage/rows.ts'
import { findChargeableCards } from '../../storage/stored-cards.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { getExchange } from '../http/exchange.ts'
import { listOfferedPlans, MOST_CHOICES, type PaymentVisit } from './visit.ts'

export type PageChoices = Awaited<ReturnType<typeof loadChoices>>

export async function loadChoices(visit: PaymentVisit) {
  const { response, row, merchant, now } = visit
  const { db } = getExchange(response).service.database
  const isKnown = row.customer_ref !== null && row.customer_id !== null
  const of = { merchantId: merchant.id, customerId: row.customer_id ?? 0, test: row.test, now }
  const plans = await findRows(db, 'plans', merchant.id, listOfferedPlans(row))
  return {
    methods: listOfferedMethods(row, merchant),
    /** Stored cards of the customer that the merchant named. */
    cards: isKnown ? await findChargeableCards(db, of, MOST_CHOICES) : [],
    /** The payer may store the card. */
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
  const { db } = getExchange(response).service.database
  const card = await findRow(db, 'stored_cards', merchant.id, Number(id))
  const fits =
    card && card.customer_id === row.customer_id && card.test === row.test && !card.recurring
  return fits ? card : undefined
}

/**
 * Lists the methods of a page, in the order of the merchant's setting: those that can pay this
 * payment, and always the one that the merchant requested. Plans and payments of 0.00 require a
 * card.
 */
function listOfferedMethods(row: TransactionRow, merchant: Merchant): readonly PageMethod[] {
  const own = createMethod(row.payment_method)
  if (row.plan_id !== null || row.amount === 0) return ['credit_card']
  const offered = merchant.settings.payment_methods.filter(
    (method) => method === own || canPay(method, row, merchant),
  )
  const isAskedFor = row.payment_request.payment_method !== undefined && own !== 'credit_card'
  if (isAskedFor && !offered.includes(own)) return [own, ...offered]
  return offered.length > 0 ? offered : ['credit_card']
}

function canPay(method: PageMethod, row: TransactionRow, { settings }: Merchant): boolean {
  const { page, itemized } = getRules(method)
  const takesCurrency = page?.currencies?.includes(row.currency) ?? true
  return takesCurrency && (!itemized || (settings.invoice && hasItems(row)))
}

/** Returns true if the items add up to the amount, as an invoice requires. */
function hasItems({ amount_text, items }: TransactionRow): boolean {
  // Creating an unused error takes a hundredth of a page's time.
  if (!items?.length || findItemsRefusal(items as readonly JsonObject[], true)) return false
  const amount = parseAmount(amount_text)
  return !amount.ok || hasTotal(items, amount.value)
}

/** Returns the method of a payment. A stored card uses the method of cards. */
export const createMethod = (method: PaymentMethod): PageMethod =>
  PAGE_METHODS.find((each) => each === method) ?? 'credit_card'

/**
 * Reads the method in the address, `?payment.selected=swish` or `swish_tab` in old pages (observed:
 * 11.5).
 */
export function findSelectedMethod(parameters: Parameters): PageMethod | undefined {
  const selected = text(parameters, 'payment.selected')
  const name = selected?.toLowerCase().replace(/_tab$/, '') ?? ''
  return METHODS_BY_OLD_NAME[name] ?? PAGE_METHODS.find((each) => each === name)
}

/**
 * Returns the wallets of a page: those of the merchant's setting, in test mode only (decision 101).
 */
export const listOfferedWallets = ({ row, merchant }: PaymentVisit): readonly WalletType[] =>
  row.test ? merchant.settings.wallets : []

/**
 * Returns the wallet whose sheet is open: from the form or the address; undefined if it is not
 * offered.
 */
export function openWallet(visit: PaymentVisit, parameters: Parameters): WalletType | undefined {
  const wallet = readWallet(text(parameters, 'wallet_type') ?? text(parameters, 'payment.selected'))
  return listOfferedWallets(visit).find((each) => each === wallet)
}

/** Lists the simulated cards of a wallet that the merchant accepts. */
export const listWalletCards = ({ settings }: Merchant): readonly WalletCard[] =>
  WALLET_CARDS.filter(({ number }) =>
    settings.card_types.some((type) => type === detectBrand(number)),
  )

/**
 * Returns the paying wallet and its card; undefined for the form of a card.
 * @throws errors.request.bad_format (253) for a wallet that the page does not offer
 */
export function findPayingWallet(
  visit: PaymentVisit,
  parameters: Parameters,
): (WalletCard & { type: WalletType }) | undefined {
  const [wallet, chosen] = [text(parameters, 'wallet_type'), text(parameters, 'wallet_card')]
  if (wallet === undefined) return undefined
  const type = openWallet(visit, parameters)
  const card = listWalletCards(visit.merchant).find(({ name }) => name === chosen)
  if (type && card) return { type, ...card }
  throw notOffered('this wallet, or this card in the wallet', 'wallets')
}

/** Creates the error of a choice that the page does not offer. */
export const notOffered = (choice: string, setting: string): GatewayError =>
  new GatewayError('errors.request.bad_format', {
    explain: `The page does not offer ${choice}. See the merchant's setting ${setting}.`,
  })

/** Number of digits of the longest id. */
const MAX_ID_LENGTH = 16

/** Returns the payer's choices in a form as parameters of the page's address. */
export function readChosenQuery(visit: PaymentVisit, method: PageMethod | undefined) {
  const { parameters } = getExchange(visit.response)
  const readId = (name: string) => text(parameters, name)?.slice(0, MAX_ID_LENGTH)
  return {
    'payment.selected': openWallet(visit, parameters) ?? method,
    stored_card: readId('stored_card'),
    plan: readId('plan_id'),
    store_card: text(parameters, 'store_card') === undefined ? undefined : 'true',
  }
}
