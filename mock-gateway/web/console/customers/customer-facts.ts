import { formatAmount, hundredths } from '../../../domain/money/money.ts'
import { newestPaymentOf } from '../../../storage/customers.ts'
import { sumsOfCustomer } from '../../../storage/sums.ts'
import type { Fact } from '../parts/cell.ts'
import { copied, moneyText, plain } from '../parts/cells.ts'
import type { MerchantVisit } from '../visit.ts'

/** Lists the newest payer's name and e-mail, and what the customer has paid in each currency. */
export async function customerFacts(
  { dependencies, merchant }: MerchantVisit,
  id: number,
): Promise<readonly Fact[]> {
  const { db } = dependencies.database
  const newest = await newestPaymentOf(db, merchant.id, id)
  const { first_name, last_name, email } = newest?.payment_details ?? {}
  const name = [first_name, last_name].filter(Boolean).join(' ') || newest?.card_holder
  const sums = await sumsOfCustomer(db, merchant.id, id)
  const paid = [...sums].map(([currency, sum]) =>
    moneyText(formatAmount(hundredths(sum)), currency).replace(' ', '\u00a0'),
  )
  return [
    { name: 'Name', ...plain(name) },
    { name: 'E-mail', ...copied(plain(email)) },
    { name: 'Paid in total', ...plain(paid.join(', ')) },
  ].filter(({ text }) => text !== '')
}
