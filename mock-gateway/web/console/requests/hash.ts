import { readId } from '../../../domain/identifiers.ts'
import { describeNotice } from '../../../domain/notices.ts'
import {
  type HashExample,
  listAcceptedVariants,
  listHashExamples,
  listUncoveredParts,
  writeResponseText,
} from '../../../domain/order/hash.ts'
import { diagnoseHash } from '../../../domain/order/hash-diagnosis.ts'
import { pickHashedRequest } from '../../../domain/order/request-hash.ts'
import { NONE_ENCRYPTED } from '../../../parsing/parameters/decrypt.ts'
import { isSent, type Parameters, pick, text } from '../../../parsing/parameters/parameters.ts'
import { authenticateByHash, HASHED_FIELDS, readHash } from '../../../parsing/request-hash.ts'
import { calculateResponseHash, pickHashedResponse } from '../../../serializers/transaction.ts'
import { findAllMerchants } from '../../../storage/merchants.ts'
import { findRequests } from '../../../storage/requests.ts'
import { findRow } from '../../../storage/rows.ts'
import { readContents } from '../../../storage/tables/requests.ts'
import { getExchange } from '../../http/exchange.ts'
import { asGatewayError } from '../../http/refuse.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderMessage } from '../../pages/messages.ts'
import { copied, link, longText, renderFacts } from '../parts/cells.ts'
import { type Filter, filterField } from '../parts/filters.ts'
import { renderFolded } from '../parts/forms.ts'
import { renderMistakeList } from '../parts/problem.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import { type ConsolePage, type MerchantVisit, noRow } from '../visit.ts'

/**
 * Page that calculates hashes, for integrators with error 107: the hashed text and the result of
 * each recipe.
 */
export const HASH_PAGE: ConsolePage<MerchantVisit> = {
  path: '/hash',
  async show(opened) {
    const rejected = await lastRejected(opened)
    const visit = rejected ? { ...opened, parameters: rejected.sent } : opened
    const sent = pick(visit.parameters, HASHED_FIELDS)
    const { request, hash, recipes, findMistakes, view } = examineHash(visit, visit.parameters)
    const verdict = recipes.length > 0 && isSent(sent, 'hash') ? judgeHash(visit) : null
    const mistakes = verdict?.good === false ? renderMistakeList(await findMistakes()) : null
    const { paymentRef, customerRef, amount, currency, test } = request
    const field = (name: string, value: string, more: Partial<Filter> = {}) =>
      filterField({ name, label: name, ...more }, value)
    return {
      title: 'Request hash',
      body: html`${verdict && html`<div class="callout ${verdict.good ? 'good' : 'bad'}" role="status">${mistakes ?? html`<p>${verdict.text}</p>`}</div>`}
<p class="quiet">A hash is the MD5 of merchant_id, payment_ref, customer_ref, amount,
currency in lower case, <code>test</code> when test is true, and the secret,
joined without separators.
Here <code>***</code> is the secret.</p>
${
  rejected &&
  html`<p class="quiet">The fields come from the
<a href="${visit.home}/requests/${rejected.id}">last request with error 107</a>.
<a href="?payment_ref=">Clear the fields</a></p>`
}
<form class="row filters" method="get">
${field('payment_ref', paymentRef)}${field('customer_ref', customerRef)}${field('amount', amount, { hint: '10.00' })}
${field('currency', currency, { hint: 'sek' })}${field('test', String(test), { choices: ['true', 'false'] })}${field('hash', hash)}<button>Check</button>
</form>
${
  view &&
  html`<h2>Correct hash</h2>
${view}
${renderFolded('All recipes', renderTable(fill(listRecipeColumns(visit.merchant.settings.strict_hash), recipes, '')))}`
}
<h2>Response hash</h2>
<p class="quiet">It proves to your shop that an answer or a redirect comes from this gateway.</p>
${await responseView(visit)}`,
    }
  },
}

/** Finds the last request whose hash was rejected, unless fields are filled in. */
async function lastRejected({ merchant, parameters, dependencies, db }: MerchantVisit) {
  if ([...HASHED_FIELDS, 'transaction_id'].some((name) => name in parameters)) return null
  await dependencies.keptRequests.settle()
  const filter = { merchantId: merchant.id, error: 'errors.hash.invalid' }
  const [last] = await findRequests(db, filter, 1)
  if (!last) return null
  const { sent, encrypted } = readContents(last)
  // The log has no value of an encrypted field.
  const fields = HASHED_FIELDS.filter((name) => !encrypted.includes(name))
  return { id: last.request_id, sent: pick(sent ?? {}, fields) as Parameters }
}

/** Creates the columns of the recipes. @param strict the merchant's setting strict_hash */
function listRecipeColumns(strict: boolean): readonly Column<HashExample>[] {
  const accepted = listAcceptedVariants({ strict, customer: false })
  const always = listAcceptedVariants({ strict, customer: true })
  return [
    ['Recipe', ({ variant }) => variant, 'first'],
    ['Text', ({ text }) => copied(longText(text)), 'third'],
    ['MD5', ({ hash }) => copied(hash), 'second'],
    ['Does not cover', ({ variant }) => listUncoveredParts(variant).join(', '), 'second-end'],
    [
      'Accepted',
      ({ variant }) => {
        if (!accepted.includes(variant)) return 'never: the setting strict_hash is on'
        return always.includes(variant) ? 'always' : 'with a login, or without customer_ref'
      },
      'first-end',
    ],
  ]
}

/** Returns the API's answer for the hash that was filled in, as without a login. */
function judgeHash({ merchant, parameters, response }: MerchantVisit) {
  try {
    const now = getExchange(response).getNow(merchant.id)
    const sender = { merchant, loggedIn: true, encrypted: NONE_ENCRYPTED, now }
    const { notices } = authenticateByHash(parameters, sender)
    const text = notices.map(describeNotice).join(' ')
    return { good: true, text: text || 'The hash matches the canonical recipe.' }
  } catch (error) {
    const { http, entry, explain = `${entry.en}.` } = asGatewayError(error)
    if (http === 500) throw error
    return { good: false, text: `Error ${entry.code}: ${explain}` }
  }
}

/**
 * Renders the form for a transaction, and its response_hash with the hashed text. @throws
 * errors.not_found (196)
 */
async function responseView({ merchant, parameters, db, home }: MerchantVisit): Promise<SafeHtml> {
  const id = text<string>(parameters, 'transaction_id')
  const row = id && (await findRow(db, 'transactions', merchant.id, readId(id)))
  if (id && !row) throw noRow('transaction', id)
  return html`<form class="row filters" method="get">
<label>transaction_id <input name="transaction_id" value="${id}"
  inputmode="numeric" size="10" required></label>
<button class="small">Show</button></form>
${
  row &&
  renderFacts({
    Transaction: link(row.id, `${home}/transactions/${row.id}`),
    Text: `${writeResponseText(pickHashedResponse(row))}***`,
    response_hash: copied(calculateResponseHash(row, merchant)),
  })
}`
}

/**
 * Returns values that could have been used instead of the merchant's secret, by name: the default
 * password, and for the administrator the secrets of other merchants. None of them is ever shown.
 */
async function mistakenSecrets({
  merchant,
  operator,
  dependencies: { known },
  db,
}: MerchantVisit): Promise<Readonly<Record<string, string>>> {
  const password = known?.id === merchant.id ? { 'the API password': known.password } : {}
  const others = operator.merchantId === undefined ? await findAllMerchants(db) : []
  const secrets = others
    .filter(({ id, secret }) => id !== merchant.id && secret !== merchant.secret)
    .map(({ id, secret }) => [`the secret of merchant ${id}`, secret])
  return { ...password, ...Object.fromEntries(secrets) }
}

export const hashedFields = (sent: Parameters): [name: string, value: string][] =>
  Object.entries(pick(sent, HASHED_FIELDS)).flatMap(([name, value]) =>
    value === undefined || typeof value === 'object' ? [] : [[name, String(value)]],
  )

export function examineHash(visit: MerchantVisit, sent: Parameters) {
  const { merchant } = visit
  const { hash = '', ...order } = readHash(pick(sent, HASHED_FIELDS), NONE_ENCRYPTED)
  const request = pickHashedRequest(merchant, order)
  const recipes = order.paymentRef === undefined ? [] : listHashExamples(request, merchant.secret)
  const right = recipes.find(({ variant }) => variant === 'canonical')
  return {
    request,
    hash,
    recipes,
    /** The right hash; undefined without a payment_ref. */
    right: right?.hash,
    /** The hashed text, and the right hash above the sent one; undefined without a payment_ref. */
    view:
      right &&
      renderMessage({
        title: 'MD5',
        note: '*** is the secret',
        text: `of     ${right.text}\nright  ${right.hash}${hash && `\nsent   ${hash}`}`,
        marked: hash === right.hash ? null : hash || null,
      }),
    findMistakes: async () =>
      diagnoseHash(
        { request, sent: hash, secret: merchant.secret, mistaken: await mistakenSecrets(visit) },
        'all',
      ),
  }
}
