import type { Item } from '../../contract/wire.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { formatAmount, looseAmount } from '../../domain/money/money.ts'
import { moneyText } from '../../domain/money/money-text.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'

/** The order as each page of a payment shows it. */
export interface OrderView {
  readonly merchant: string
  readonly logo: string | null
  /** Shown in place of a logo. */
  readonly initial: string
  /** Formatted for people; an amount that is not a number is unchanged. */
  readonly amount: string
  /** For programs, with two decimals. */
  readonly amount_value: string
  readonly currency: string
  readonly payment_ref: string
  readonly items: readonly ItemView[]
  readonly vat: string | null
  readonly test: boolean
}

interface ItemView {
  readonly description: string
  /** Empty if the quantity is 1. */
  readonly quantity: string
  readonly amount: string
}

/** Columns that every page shows; a payment link has them too. */
export type OrderRow = Pick<
  TransactionRow,
  | 'amount'
  | 'amount_text'
  | 'currency'
  | 'payment_ref'
  | 'items'
  | 'vat_amount'
  | 'test'
  | 'payment_request'
>

export function shownOrder(row: OrderRow, merchant: Merchant, locale: Locale): OrderView {
  const amount = row.amount ?? looseAmount(row.amount_text)
  return {
    merchant: merchant.name,
    logo: merchant.settings.logo ?? null,
    initial: [...merchant.name][0]?.toUpperCase() ?? '',
    amount:
      amount === undefined
        ? `${row.amount_text} ${row.currency.toUpperCase()}`
        : moneyText(amount, row.currency, locale),
    amount_value: row.amount === null ? row.amount_text : formatAmount(row.amount),
    currency: row.currency.toUpperCase(),
    payment_ref: row.payment_ref,
    items: (row.items ?? []).map((item) => shownItem(item, row.currency, locale)),
    vat: row.vat_amount ? moneyText(row.vat_amount, row.currency, locale) : null,
    test: row.test,
  }
}

function shownItem(item: Item, currency: Currency, locale: Locale): ItemView {
  const { description, artno, qty, amount } = item as JsonObject
  const total = amount === undefined || amount === null ? undefined : looseAmount(String(amount))
  const quantity = String(qty ?? '')
  return {
    description: String(description ?? artno ?? ''),
    quantity: quantity === '1' ? '' : quantity,
    amount: total === undefined ? String(amount ?? '') : moneyText(total, currency, locale),
  }
}
