import { readId } from '../../../domain/identifiers.ts'
import { describeNotice } from '../../../domain/notices.ts'
import {
  acceptedVariants,
  type HashVariant,
  hashesOf,
  responseText,
  uncoveredParts,
} from '../../../domain/order/hash.ts'
import { diagnoseHash } from '../../../domain/order/hash-diagnosis.ts'
import { hashedRequest } from '../../../domain/order/request-hash.ts'
import { NONE_ENCRYPTED } from '../../../parsing/parameters/decrypt.ts'
import { isSent, type Parameters, pick, text } from '../../../parsing/parameters/parameters.ts'
import { authenticateByHash, HASHED_FIELDS, readHash } from '../../../parsing/request-hash.ts'
import { responseHashOf, responseOf } from '../../../serializers/transaction.ts'
import { allMerchants } from '../../../storage/merchants.ts'
import { findRequests } from '../../../storage/requests.ts'
import { findRow } from '../../../storage/rows.ts'
import { contentsIn } from '../../../storage/tables/requests.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { asGatewayError } from '../../http/refuse.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { factList } from '../parts/cell.ts'
import { type Cell, copied, link, longText, plain } from '../parts/cells.ts'
import { option } from '../parts/forms.ts'
import { message, sideBySide } from '../parts/message.ts'
import { mistakeList } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import { type ConsolePage, type MerchantVisit, noRow } from '../visit.ts'

/**
 * Page that calculates hashes, for integrators with error 107: the hashed text and the result of
 * each recipe.
 */
export const HASH_PAGE: ConsolePage<MerchantVisit> = {
  path: '/hash',
  section: 'hash',
  async show(opened) {
    const rejected = await lastRejected(opened)
    const visit = rejected ? { ...opened, parameters: rejected.sent } : opened
    const { merchant } = visit
    const sent = pick(visit.parameters, HASHED_FIELDS)
    const order = readHash(sent, NONE_ENCRYPTED)
    const request = hashedRequest(merchant, order)
    const recipes = order.paymentRef === undefined ? [] : hashesOf(request, merchant.secret)
    const canonical = recipes.find(({ variant }) => variant === 'canonical')
    const verdict = recipes.length > 0 && isSent(sent, 'hash') ? verdictOf(visit) : null
    const patient = { request, sent: order.hash ?? '', secret: merchant.secret }
    const taken = takenBy(merchant.settings.strict_hash)
    const mistakes =
      verdict && !verdict.good
        ? diagnoseHash({ ...patient, mistaken: await mistakenSecrets(visit) }, 'all')
        : null
    const { transactionId, response } = await responseIn(visit)
    return {
      title: 'Request hash',
      body: html`<p>A hash is the MD5 of merchant_id, payment_ref, customer_ref, amount,
currency in lower case, <code>test</code> when test is true, and the secret,
joined without separators.
Here <code>***</code> is the secret.</p>
${
  rejected &&
  html`<p class="callout off">The fields come from the
<a href="${visit.home}/requests/${rejected.id}">last request with error 107</a>.
<a href="?payment_ref=">Clear the fields</a></p>`
}
<form class="filters" method="get">
<label>payment_ref <input name="payment_ref" value="${request.paymentRef}" size="10"></label>
<label>customer_ref <input name="customer_ref" value="${request.customerRef}" size="10"></label>
<label>amount <input name="amount" value="${request.amount}" placeholder="10.00" size="8"></label>
<label>currency
<input name="currency" value="${request.currency}" placeholder="sek" size="4"></label>
<label>test <select name="test">
${['false', 'true'].map((each) => option(each, each, String(request.test)))}</select></label>
<label>hash <input name="hash" value="${order.hash}" size="32"></label><button>Check</button>
</form>
${
  verdict && html`<p class="${verdict.good ? 'done' : 'problem'}" role="status">${verdict.text}</p>`
}
${mistakes && mistakeList(mistakes)}
${
  canonical
    ? html`<h2>Correct hash</h2>
${factList([
  { name: 'Text', ...copied(longText(canonical.text)) },
  { name: 'MD5', ...copied(plain(canonical.hash)) },
])}
<details><summary>All recipes</summary>${table({
        heads: ['Recipe', 'Text', 'MD5', 'Does not cover', 'Accepted'],
        rows: recipes.map((each): Cell[] => [
          plain(each.variant),
          copied(longText(each.text)),
          copied(plain(each.hash)),
          plain(uncoveredParts(each.variant).join(', ')),
          plain(taken(each.variant)),
        ]),
      })}</details>`
    : null
}
<h2>Response hash</h2>
<p class="quiet">It proves to your shop that an answer or a redirect comes from this gateway.</p>
<form class="filters" method="get">
<label>transaction_id <input name="transaction_id" value="${transactionId}"
  inputmode="numeric" size="10" required></label>
<button class="small">Show</button></form>
${response && factList(response)}`,
    }
  },
}

/** Finds the last request whose hash was rejected, unless fields are filled in. */
async function lastRejected({ merchant, parameters, dependencies }: MerchantVisit) {
  if ([...HASHED_FIELDS, 'transaction_id'].some((name) => name in parameters)) return null
  await dependencies.keptRequests.settle()
  const filter = { merchantId: merchant.id, error: 'errors.hash.invalid' }
  const [last] = await findRequests(dependencies.database.db, filter, 1)
  if (!last) return null
  const { sent, encrypted } = contentsIn(last)
  const fields = HASHED_FIELDS.flatMap((name) => {
    const value = sent?.[name]
    // The log has no value of an encrypted field.
    return value === undefined || encrypted.includes(name) ? [] : [[name, value] as const]
  })
  return { id: last.request_id, sent: Object.fromEntries(fields) }
}

/** Returns whether a recipe is accepted. */
const takenBy = (strict: boolean) => (variant: HashVariant) => {
  if (!acceptedVariants({ strict, customer: false }).includes(variant))
    return 'never: the setting strict_hash is on'
  return acceptedVariants({ strict, customer: true }).includes(variant)
    ? 'always'
    : 'with a login, or without customer_ref'
}

/** Returns the API's answer for the hash that was filled in, as without a login. */
function verdictOf({ merchant, parameters, response }: MerchantVisit): {
  readonly good: boolean
  readonly text: string
} {
  try {
    const now = exchangeOf(response).nowOf(merchant.id)
    const { notices } = authenticateByHash(parameters, {
      merchant,
      loggedIn: true,
      encrypted: NONE_ENCRYPTED,
      now,
    })
    return {
      good: true,
      text: notices.map(describeNotice).join(' ') || 'The hash matches the canonical recipe.',
    }
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.http === 500) throw error
    return {
      good: false,
      text: `Error ${refusal.entry.code}: ${refusal.explain ?? `${refusal.entry.en}.`}`,
    }
  }
}

/** Calculates the response_hash of a transaction, with its parts. @throws errors.not_found (196) */
async function responseIn({ merchant, parameters, dependencies, home }: MerchantVisit) {
  const id = text(parameters, 'transaction_id')
  if (id === undefined) return { transactionId: null, response: null }
  const row = await findRow(dependencies.database.db, 'transactions', merchant.id, readId(id))
  if (!row) throw noRow('transaction', id)
  const facts = {
    Transaction: link(row.id, `${home}/transactions/${row.id}`),
    Text: plain(`${responseText(responseOf(row))}***`),
    response_hash: copied(plain(responseHashOf(row, merchant))),
  }
  return {
    transactionId: row.id,
    response: Object.entries(facts).map(([name, cell]) => ({ name, ...cell })),
  }
}

/**
 * Returns values that could have been used instead of the merchant's secret, by name: the default
 * password, and for the administrator the secrets of other merchants. None of them is ever shown.
 */
async function mistakenSecrets({
  merchant,
  operator,
  dependencies,
}: MerchantVisit): Promise<Readonly<Record<string, string>>> {
  const { known, database } = dependencies
  const password = known?.id === merchant.id ? { 'the API password': known.password } : {}
  if (operator.merchantId !== undefined) return password
  const others = (await allMerchants(database.db)).filter(
    ({ id, secret }) => id !== merchant.id && secret !== merchant.secret,
  )
  return {
    ...password,
    ...Object.fromEntries(others.map(({ id, secret }) => [`the secret of merchant ${id}`, secret])),
  }
}

/** Finds the right hash of a request, and renders what was sent beside what would be right. */
export function rightHash(
  { merchant }: MerchantVisit,
  sent: Parameters,
): { readonly hash: string; readonly view: SafeHtml } | null {
  const order = readHash(pick(sent, HASHED_FIELDS), NONE_ENCRYPTED)
  if (order.paymentRef === undefined) return null
  const right = hashesOf(hashedRequest(merchant, order), merchant.secret).find(
    ({ variant }) => variant === 'canonical',
  )
  if (!right) return null
  const lines = HASHED_FIELDS.flatMap((name) => {
    const value = sent[name]
    return value === undefined || typeof value === 'object' ? [] : [`${name}=${value}`]
  })
  const view = sideBySide(
    message({
      title: 'You sent',
      note: 'fields of the hash',
      text: lines.join('\n'),
      marked: order.hash || null,
    }),
    message({
      title: 'Right',
      note: '*** is the secret',
      text: `MD5 of\n${right.text}\nis\n${right.hash}`,
    }),
  )
  return { hash: right.hash, view }
}

/** Diagnoses the hash from the stored parameters. */
export async function findHashMistakes(
  visit: MerchantVisit,
  sent: Parameters,
): Promise<readonly string[]> {
  const { merchant } = visit
  const hash = readHash(pick(sent, HASHED_FIELDS), NONE_ENCRYPTED)
  const request = hashedRequest(merchant, hash)
  const patient = {
    request,
    sent: hash.hash ?? '',
    secret: merchant.secret,
    mistaken: await mistakenSecrets(visit),
  }
  return diagnoseHash(patient, 'all')
}
