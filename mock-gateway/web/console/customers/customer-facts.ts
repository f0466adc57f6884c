import { formatAmount, hundredths } from '../../../domain/money/money.ts'
import { findOne } from '../../../storage/rows.ts'
import { sumsOfCustomer } from '../../../storage/sums.ts'
import { type Cell, copied, moneyText, plain } from '../parts/cells.ts'
import { type MerchantVisit, ownRow } from '../visit.ts'

/** Lists the newest payer's name and e-mail, and what the customer has paid in each currency. */
export async function customerFacts(visit: MerchantVisit): Promise<Readonly<Record<string, Cell>>> {
  const { db } = visit.dependencies.database
  const { id, merchant_id } = await ownRow(visit, 'customers')
  const newest = await findOne(
    db,
    'transactions',
    { merchant_id, customer_id: id },
    { newestFirst: true },
  )
  const { first_name, last_name, email } = newest?.payment_details ?? {}
  const paid = [...(await sumsOfCustomer(db, merchant_id, id))].map(([currency, sum]) =>
    moneyText(formatAmount(hundredths(sum)), currency).replace(' ', '\u00a0'),
  )
  return {
    Name: plain([first_name, last_name].filter(Boolean).join(' ') || newest?.card_holder),
    'E-mail': copied(plain(email)),
    'Paid in total': plain(paid.join(', ')),
  }
}
