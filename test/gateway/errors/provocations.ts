import type { ErrorName } from '../../../mock-gateway/domain/errors/errors.ts'
import { type Answer, CARD, type Fields, payment } from '../../helpers/gateway.ts'
import { ITEM, invoice, preparedInvoice } from '../payment-methods/fields.ts'
import { LIVE_NUMBER, type World } from './world.ts'

/** Call that causes an error. */
type Provocation = (world: World) => Promise<Answer<unknown>>

const json = JSON.stringify

/** Prepares a transaction with a mistake. */
const prepared =
  (over: Fields): Provocation =>
  ({ prepare }) =>
    prepare(over)
/** Pays by card with a mistake. */
const paid =
  (over: Fields): Provocation =>
  ({ pay }) =>
    pay(over)
/** Sends an invoice with a mistake in the payer's data. */
const billed =
  (payer: Readonly<Record<string, string | undefined>>, over: Fields = {}): Provocation =>
  ({ post }) =>
    post('/v1/transactions', invoice(payer, over))
/** Sends an invoice with a mistake in its item. */
const basket =
  (item: object): Provocation =>
  ({ post }) =>
    post('/v1/transactions', preparedInvoice({}, { items: json([{ ...ITEM, ...item }]) }))
/** Creates a plan with a mistake. */
const planned =
  (over: Fields): Provocation =>
  ({ post }) =>
    post('/v1/plans', {
      name: 'A',
      interval: 1,
      interval_unit: 'days',
      prices: '{"sek":"1.00"}',
      ...over,
    })
/** Refunds a payment with a mistake. */
const refunded =
  (over: Fields): Provocation =>
  async ({ paidId, post }) =>
    post('/v1/refunds', {
      transaction_id: await paidId(),
      amount: '10.00',
      reason: 'Returned',
      ...over,
    })
/** Looks up an address with a mistake. */
const lookedUp =
  (over: Fields): Provocation =>
  async ({ prepare, get }) => {
    const { id, href } = (await prepare()).body
    const page = { token: href.slice(-22), transaction_id: id, merchant_id: 1, test: true }
    return get('/v1/ssn', { ...page, ssn: '199107172380', country: 'SWE', ...over })
  }

const BAD_KEY = 'A'.repeat(40)
const LONG = (characters: number) => 'x'.repeat(characters)

/**
 * Calls that cause each error. The table of `docs/errors.md` describes the same calls in words.
 */
export const CALLS: Readonly<Partial<Record<ErrorName, Provocation>>> = {
  'errors.template.not_found': prepared({ template_id: 'summer' }),
  'errors.merchant.not_found': ({ stranger }) =>
    stranger.post('/v1/transactions', payment({ merchant_id: 999 })),
  'errors.merchant_id.missing': ({ stranger }) => stranger.post('/v1/form', payment()),
  'errors.hash.missing': paid({ hash: undefined }),
  'errors.hash.invalid': paid({ hash: '0'.repeat(32) }),
  'errors.amount.missing': prepared({ amount: undefined }),
  'errors.amount.invalid': paid({ amount: '0.00' }),
  'errors.amount.invalid_format': paid({ amount: '10.0' }),
  'errors.success_url.missing': prepared({ success_url: undefined }),
  'errors.success_url.not_valid_uri': prepared({ success_url: '/thanks' }),
  'errors.success_url.forbidden_uri': prepared({ success_url: 'javascript:alert(1)' }),
  'errors.success_url.reserved': prepared({
    success_url: 'http://localhost:4400/v1/form',
  }),
  'errors.error_url.missing': prepared({ error_url: undefined }),
  'errors.error_url.not_valid_uri': prepared({ error_url: '/sorry' }),
  'errors.error_url.forbidden_uri': prepared({ error_url: 'javascript:alert(1)' }),
  'errors.error_url.reserved': prepared({ error_url: 'http://localhost:4400/v1/form' }),
  'errors.currency.invalid': prepared({ currency: 'EURO' }),
  'errors.currency.missing': prepared({ currency: undefined }),
  'errors.currency.unsupported': prepared({ currency: 'XAF' }),
  'errors.card_number.missing': paid({ card_number: undefined }),
  'errors.card_number.invalid': paid({ card_number: '4111111111111112' }),
  'errors.card_type.missing': ({ post }) =>
    post('/v1/stored_cards', { ...CARD, currency: 'sek', test: true }),
  'errors.card_type.unsupported': paid({ card_type: 'gold' }),
  'errors.card_holder.missing': paid({ card_holder: undefined }),
  'errors.card_holder.invalid': paid({ card_holder: '4111 1111 1111 1111' }),
  'errors.card_cvv.missing': paid({ card_cvv: undefined }),
  'errors.card_cvv.invalid': paid({ card_cvv: '202' }),
  'errors.card_expiry.missing': paid({ card_expiry: undefined }),
  'errors.card_expiry.invalid': paid({ card_expiry: '1330' }),
  'errors.transaction.not_found': ({ get }) => get('/v1/transactions/999999'),
  'errors.mpi.invalid': paid({ ref: 'f'.repeat(32) }),
  'errors.payment.declined': paid({ card_cvv: '201' }),
  'errors.card.expired': paid({ card_cvv: '203' }),
  'errors.reason.missing': refunded({ reason: undefined }),
  'errors.amount.excess': refunded({ amount: '10.01' }),
  'errors.plan.not_found': ({ get }) => get('/v1/plans/999999'),
  'errors.plan.missing': ({ post }) => post('/v1/subscriptions', { stored_card_id: 1 }),
  'errors.plan.invalid': paid({ plan_id: 'monthly' }),
  'errors.plan.deactivated': async (world) => {
    const { id } = await world.plan()
    await world.send('DELETE', `/v1/plans/${id}`)
    return world.pay({ plan_id: id })
  },
  'errors.price.missing': async (world) =>
    world.pay({ plan_id: (await world.plan()).id, currency: 'eur' }),
  'errors.stored_card.not_found': ({ get }) => get('/v1/stored_cards/999999'),
  'errors.unauthorized': ({ stranger }) => stranger.get('/v1/transactions'),
  'errors.subscription.not_found': ({ get }) => get('/v1/subscriptions/999999'),
  'errors.customer.not_found': ({ get }) => get('/v1/customers/999999'),
  'errors.customer.missing': async (world) =>
    world.post('/v1/subscriptions', { plan_id: (await world.plan()).id }),
  'errors.payment_ref.invalid': prepared({ payment_ref: undefined }),
  'errors.payment_ref.processed': async (world) => {
    const { payment_ref } = (await world.pay()).body
    return world.pay({ payment_ref })
  },
  'errors.status.invalid': async (world) =>
    world.put(`/v1/stored_cards/${(await world.storedCard()).id}`, { status: 'deleted' }),
  'errors.json.malformed': prepared({ metadata: 'hello' }),
  'errors.stored_card.not_active': async (world) => {
    const { id, token } = await world.storedCard()
    await world.send('DELETE', `/v1/stored_cards/${id}`)
    return world.pay({ card_number: token, card_type: 'STORED_CARD' })
  },
  'errors.webhook.failed': ({ pay }) =>
    pay({ webhook: '{"trigger":"before_payment","url":"http://127.0.0.1:1/"}' }),
  'errors.webhook.invalid': prepared({ webhook: '{"url":"https://shop.example/"}' }),
  'errors.transaction_id.missing': ({ post }) => post('/v1/refunds', { amount: '1.00' }),
  'errors.transaction.processed': async (world) =>
    world.put(`/v1/transactions/${await world.paidId()}`, { amount: '5.00', process: false }),
  'errors.invoice.not_purchable': billed({ country_code: 'DNK' }),
  'errors.reservation.not_approved': async (world) =>
    world.put(`/v1/transactions/${await world.preparedId()}/capture`, { amount: '10.00' }),
  'errors.personal_number.missing': billed({ personal_number: undefined }),
  'errors.zip.missing': billed({ zip: undefined }),
  'errors.first_name.missing': billed({ first_name: undefined }),
  'errors.last_name.missing': billed({ last_name: undefined }),
  'errors.country_code.missing': billed({ country_code: undefined }),
  'errors.address.missing': billed({ address_1: undefined }),
  'errors.city.missing': billed({ city: undefined }),
  'errors.payment_details.missing': billed({}, { payment_details: undefined }),
  'errors.company_name.missing': billed({ segmentation: 'b2b' }),
  'errors.payment_details.invalid': prepared({ payment_details: '[1]' }),
  'errors.customer_ref.invalid': prepared({ customer_ref: LONG(256) }),
  'errors.items.missing': billed({}, { items: undefined }),
  'errors.stored_card.not_test': async (world) => {
    const { token } = await world.storedCard({ card_number: LIVE_NUMBER, test: false })
    return world.pay({ card_number: token, card_type: 'STORED_CARD' })
  },
  'errors.stored_card.is_test': async (world) => {
    const { token } = await world.storedCard()
    return world.pay({ card_number: token, card_type: 'STORED_CARD', test: false })
  },
  'errors.stored_card.recurring': async (world) => {
    const { token } = await world.storedCard({ recurring: true })
    return world.pay({ card_number: token, card_type: 'STORED_CARD' })
  },
  'errors.subscription.status_invalid': async (world) => {
    const { id } = await world.subscription()
    await world.put(`/v1/subscriptions/${id}`, { status: 'cancelled' })
    return world.put(`/v1/subscriptions/${id}`, { status: 'active' })
  },
  'errors.subscription.paid': async (world) => {
    const { id: plan_id } = await world.plan({ periods: 1 })
    const { subscription } = (await world.pay({ plan_id })).body
    return world.put(`/v1/subscriptions/${subscription?.id}`, { quantity: 2 })
  },
  'errors.customer_ref.taken': async (world) => {
    await world.post('/v1/customers', { ref: 'taken' })
    return world.post('/v1/customers', { ref: 'taken' })
  },
  'errors.merchant.invoice.not_configured': ({ strict }) =>
    strict.post('/v1/transactions', invoice()),
  'errors.authentication.failed': ({ get }) =>
    get('/v1/transactions', {}, { authorization: `Basic ${btoa('1:wrong')}` }),
  'errors.name.missing': planned({ name: undefined }),
  'errors.interval_unit.missing': planned({ interval_unit: undefined }),
  'errors.interval_unit.invalid': planned({ interval_unit: 'weeks' }),
  'errors.prices.missing': planned({ prices: undefined }),
  'errors.interval.missing': planned({ interval: undefined }),
  'errors.interval.invalid': planned({ interval: 0 }),
  'errors.prices.invalid': planned({ prices: '{"sek":"ten"}' }),
  'errors.encrypted_param.missing': paid({ encrypted: 'eci' }),
  'errors.not_found': ({ get }) => get('/v1/nothing'),
  'errors.decryption.failed': paid({ encrypted: 'card_number', card_number: BAD_KEY }),
  'errors.reason.too_long': refunded({ reason: LONG(256) }),
  'errors.encoding.invalid': ({ raw }) => raw('payment_ref=%FF'),
  'errors.merchant.invalid': paid({ merchant_id: 2 }),
  'errors.webhook.not_found': ({ get }) => get('/v1/webhooks/999999'),
  'errors.filter_parameter.not_supported': ({ get }) =>
    get('/v1/transactions', { 'filter[card_cvv]': '200' }),
  'errors.filter_value.not_supported': ({ get }) =>
    get('/v1/transactions', { 'filter[id]': 'ten' }),
  'errors.account.locked': async ({ get }) => {
    const login = { authorization: `Basic ${btoa('77:wrong')}` }
    for (let failure = 1; failure <= 10; failure++) await get('/v1/transactions', {}, login)
    return get('/v1/transactions', {}, login)
  },
  'errors.ssn_or_country.missing': lookedUp({ ssn: undefined }),
  'errors.ssn_token.failed': lookedUp({ token: LONG(22) }),
  'errors.metadata.invalid': prepared({ metadata: '5' }),
  'errors.missing_or_invalid.ssn': billed({ personal_number: '191212121213' }),
  'errors.missing_or_too_long.first_name': billed({ first_name: LONG(101) }),
  'errors.missing_or_too_long.last_name': billed({ last_name: LONG(101) }),
  'errors.invalid.email': billed({ email: 'anna' }),
  'errors.missing_or_invalid.phone_number': prepared({
    payment_method: 'swish',
    swish_number: 'anna',
  }),
  'errors.missing_or_too_long.address_1': billed({ address_1: LONG(101) }),
  'errors.missing_or_too_long.city': billed({ city: LONG(101) }),
  'errors.missing_or_too_long.zip_code': billed({ zip: LONG(11) }),
  'errors.missing_or_invalid.country_code': billed({ country_code: '46' }),
  'errors.invoice.credit_approval_failed': billed({ personal_number: '199610202385' }),
  'errors.invoice.amount.requested.lower_than_minimum_purchase_amount': billed({
    personal_number: '199312172381',
  }),
  'errors.invoice.amount.requested.higher_than_maximum_purchase_amount': billed({
    personal_number: '199312162390',
  }),
  'errors.helper.ssn.invalid_format': lookedUp({ ssn: 'anna' }),
  'errors.helper.ssn.for_sweden_must_be_12_digits': billed({ personal_number: '1212121212' }),
  'errors.service_not_available': ({ strict }) =>
    strict.post('/v1/transactions', payment({ card_number: LIVE_NUMBER, test: false })),
  'errors.request.json_error': ({ raw }) => raw('{"amount":', 'application/json'),
  'errors.request.bad_format': prepared({ test: 'perhaps' }),
  'errors.items.vat_missing': basket({ vat: undefined }),
  'errors.items.artno_missing': basket({ artno: undefined }),
  'errors.items.qty_missing': basket({ qty: undefined }),
  'errors.items.notes_too_long': basket({ notes: LONG(251) }),
  'errors.items.not_array': prepared({ items: '{"artno":"1"}' }),
  'errors.items.description_missing': basket({ description: undefined }),
  'errors.items.amount_missing': basket({ amount: undefined }),
  'errors.items.description_too_long': basket({ description: LONG(151) }),
  'errors.items.amount_not_valid': basket({ amount: 'ten' }),
  'errors.items.transaction_amount_mismatch': basket({ amount: '9.99' }),
  'errors.invoice.address_not_found': lookedUp({}),
  'errors.invoice.invalid_registration_number': billed({
    segmentation: 'b2b',
    company_name: 'A',
    personal_number: '1',
  }),
  'errors.invoice.validation_article_id_length': basket({ artno: LONG(51) }),
  'errors.invoice.validation_address2_length': billed({ address_2: LONG(101) }),
  'errors.invoice.validation_company_name_length': billed({
    segmentation: 'b2b',
    company_name: LONG(101),
  }),
  'errors.invoice.validation_email_length': billed({ email: `${LONG(256)}@` }),
  'errors.stored_card.store.declined': ({ strict }) =>
    strict.post('/v1/stored_cards', {
      ...CARD,
      card_type: 'VISA',
      card_number: LIVE_NUMBER,
      currency: 'sek',
    }),
  'errors.stored_card.token.invalid': paid({ card_type: 'STORED_CARD' }),
}
