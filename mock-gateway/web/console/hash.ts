import { readId } from '../../domain/identifiers.ts'
import { acceptedVariants, type HashVariant, hashesOf, responseText, uncoveredBy } from '../../domain/order/hash.ts'
import { diagnoseHash } from '../../domain/order/hash-doctor.ts'
import { hashedRequest } from '../../domain/order/request-hash.ts'
import { NONE_ENCRYPTED } from '../../parsing/parameters/decrypt.ts'
import { isSent, pick, text } from '../../parsing/parameters/parameters.ts'
import { HASHED_FIELDS, proveByHash, readHash } from '../../parsing/request-hash.ts'
import { responseHashOf, responseOf } from '../../serializers/transaction.ts'
import { findRow } from '../../storage/rows.ts'
import { exchangeOf } from '../http/exchange.ts'
import { asGatewayError } from '../http/refuse.ts'
import { type Cell, link, plain } from './cells.ts'
import { mistakenSecrets } from './mistaken-secrets.ts'
import { type MerchantVisit, noRow, type Page } from './visit.ts'

/** For who gets errors.hash.invalid (107): what is hashed of an order, by which recipes, and what comes of it. */
export const HASH_PAGE: Page<MerchantVisit> = {
  path: '/hash',
  section: 'hash',
  async show(visit) {
    const { merchant, parameters } = visit
    const sent = pick(parameters, HASHED_FIELDS)
    const order = readHash(sent, NONE_ENCRYPTED)
    const request = hashedRequest(merchant, order)
    const recipes = order.paymentRef === undefined ? [] : hashesOf(request, merchant.secret)
    const verdict = recipes.length > 0 && isSent(sent, 'hash') ? verdictOf(visit) : null
    const patient = { request, sent: order.hash ?? '', secret: merchant.secret }
    const taken = takenBy(merchant.settings.strict_hash)
    return {
      view: 'hash',
      title: 'Request hash',
      data: {
        order: { ...request, hash: order.hash ?? '' },
        verdict,
        mistakes:
          verdict && !verdict.good ? diagnoseHash({ ...patient, mistaken: await mistakenSecrets(visit) }, 'all') : null,
        heads: ['Recipe', 'Text', 'MD5', 'Leaves open', 'Taken'],
        rows: recipes.map((each): Cell[] => [
          plain(each.variant),
          plain(each.text),
          plain(each.hash),
          plain(uncoveredBy(each.variant).join(', ')),
          plain(taken(each.variant)),
        ]),
        ...(await responseIn(visit)),
      },
    }
  },
}

/** When a recipe is good enough. */
const takenBy = (strict: boolean) => (variant: HashVariant) => {
  if (!acceptedVariants({ strict, customer: false }).includes(variant)) return 'never: the account is strict_hash'
  return acceptedVariants({ strict, customer: true }).includes(variant)
    ? 'always'
    : 'with a login, or without customer_ref'
}

/** What a request with a login would be answered, which the hash that was filled in proves or does not. */
function verdictOf({ merchant, parameters, response }: MerchantVisit): {
  readonly good: boolean
  readonly text: string
} {
  try {
    const now = exchangeOf(response).nowOf(merchant.id)
    const { notes } = proveByHash(parameters, { merchant, loggedIn: true, encrypted: NONE_ENCRYPTED, now })
    return { good: true, text: notes.join('. ') || 'hash matched the canonical recipe' }
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.http === 500) throw error
    return { good: false, text: `${refusal.entry.code}: ${refusal.explain ?? refusal.entry.en}` }
  }
}

/** The response_hash of a transaction, and of what it is made. @throws errors.not_found (196) */
async function responseIn({ merchant, parameters, dependencies, home }: MerchantVisit) {
  const id = text(parameters, 'transaction_id')
  if (id === undefined) return { transaction_id: '', response: null }
  const row = await findRow(dependencies.database.db, 'transactions', merchant.id, readId(id))
  if (!row) throw noRow('transaction', id)
  const facts = {
    Transaction: link(row.id, `${home}/transactions/${row.id}`),
    Text: plain(`${responseText(responseOf(row))}***`),
    response_hash: plain(responseHashOf(row, merchant)),
  }
  return {
    transaction_id: row.id,
    response: Object.entries(facts).map(([name, cell]) => ({ name, ...cell })),
  }
}
