import type { ErrorName } from '../../../mock-gateway/domain/errors.ts'
import { type Answer, CARD, type Fields, payment } from '../../helpers/gateway.ts'
import { ITEM, invoice, preparedInvoice } from '../payment-methods/fields.ts'
import { LIVE_NUMBER, type World } from './world.ts'

/** How a refusal comes about, in words and as a call. */
export type Provocation = readonly [how: string, call: (world: World) => Promise<Answer<unknown>>]

const json = JSON.stringify

/** A prepared transaction with something wrong. */
const prepared = (how: string, over: Fields): Provocation => [how, ({ prepare }) => prepare(over)]
/** A card payment with something wrong. */
const paid = (how: string, over: Fields): Provocation => [how, ({ pay }) => pay(over)]
/** An invoice with something wrong about its payer. */
const billed = (how: string, payer: Readonly<Record<string, string | undefined>>, over: Fields = {}): Provocation => [
  how,
  (world) => world.post('/v1/transactions', invoice(payer, over)),
]
/** An invoice whose item has something wrong. */
const basket = (how: string, item: object): Provocation => [
  how,
  (world) => world.post('/v1/transactions', preparedInvoice({}, { items: json([{ ...ITEM, ...item }]) })),
]
const planned = (how: string, over: Fields): Provocation => [
  how,
  (world) =>
    world.post('/v1/plans', { name: 'A', interval: 1, interval_unit: 'days', prices: '{"sek":"1.00"}', ...over }),
]
const refunded = (how: string, over: Fields, order: Fields = {}): Provocation => [
  how,
  async (world) => {
    const transaction_id = await world.paidId(order)
    return world.post('/v1/refunds', { transaction_id, amount: '10.00', reason: 'Returned', ...over })
  },
]
const lookedUp = (how: string, over: Fields): Provocation => [
  how,
  async (world) => {
    const { id, href } = (await world.prepare()).body
    const asked = {
      token: href.slice(-22),
      transaction_id: id,
      merchant_id: 1,
      test: true,
      ssn: '199107172380',
      country: 'SWE',
    }
    return world.get('/v1/ssn', { ...asked, ...over })
  },
]

const BAD_KEY = 'A'.repeat(40)
const LONG = (characters: number) => 'x'.repeat(characters)

/** Every error that the gateway says by itself, and how to make it do so. All others: `service_instructions`. */
export const PROVOCATIONS: Readonly<Partial<Record<ErrorName, Provocation>>> = {
  'errors.template.not_found': prepared('a template_id that is no number', { template_id: 'summer' }),
  'errors.merchant.not_found': [
    'a merchant_id nobody has, without a login',
    ({ stranger }) => stranger.post('/v1/transactions', payment({ merchant_id: 999 })),
  ],
  'errors.merchant_id.missing': ['a form without merchant_id', ({ stranger }) => stranger.post('/v1/form', payment())],
  'errors.hash.missing': paid('no hash', { hash: undefined }),
  'errors.hash.invalid': paid('a hash of something else', { hash: '0'.repeat(32) }),
  'errors.amount.missing': prepared('no amount', { amount: undefined }),
  'errors.amount.invalid': paid('an amount of zero', { amount: '0.00' }),
  'errors.amount.invalid_format': paid('an amount with one decimal', { amount: '10.0' }),
  'errors.success_url.missing': prepared('no success_url', { success_url: undefined }),
  'errors.success_url.not_valid_uri': prepared('a relative success_url', { success_url: '/thanks' }),
  'errors.success_url.forbidden_uri': prepared('a script as success_url', { success_url: 'javascript:alert(1)' }),
  'errors.success_url.reserved': prepared('our own page as success_url', {
    success_url: 'http://localhost:4400/v1/form',
  }),
  'errors.error_url.missing': prepared('no error_url', { error_url: undefined }),
  'errors.error_url.not_valid_uri': prepared('a relative error_url', { error_url: '/sorry' }),
  'errors.error_url.forbidden_uri': prepared('a script as error_url', { error_url: 'javascript:alert(1)' }),
  'errors.error_url.reserved': prepared('our own page as error_url', { error_url: 'http://localhost:4400/v1/form' }),
  'errors.currency.invalid': prepared('a currency of four letters', { currency: 'EURO' }),
  'errors.currency.missing': prepared('no currency', { currency: undefined }),
  'errors.currency.unsupported': prepared('a currency that is not offered', { currency: 'XAF' }),
  'errors.card_number.missing': paid('no card_number', { card_number: undefined }),
  'errors.card_number.invalid': paid('a mistyped card_number', { card_number: '4111111111111112' }),
  'errors.card_type.unsupported': paid('a card_type nobody knows', { card_type: 'gold' }),
  'errors.card_holder.missing': paid('no card_holder', { card_holder: undefined }),
  'errors.card_holder.invalid': paid('a card number as card_holder', { card_holder: '4111 1111 1111 1111' }),
  'errors.card_cvv.missing': paid('no card_cvv', { card_cvv: undefined }),
  'errors.card_cvv.invalid': paid('the CVV 202', { card_cvv: '202' }),
  'errors.card_expiry.missing': paid('no card_expiry', { card_expiry: undefined }),
  'errors.card_expiry.invalid': paid('month 13', { card_expiry: '1330' }),
  'errors.transaction.not_found': ['a transaction nobody made', ({ get }) => get('/v1/transactions/999999')],
  'errors.payment.declined': paid('the CVV 201', { card_cvv: '201' }),
  'errors.card.expired': paid('the CVV 203', { card_cvv: '203' }),
  'errors.reason.missing': refunded('a refund without reason', { reason: undefined }),
  'errors.amount.excess': refunded('a refund of more than was paid', { amount: '10.01' }),
  'errors.plan.not_found': ['a plan nobody made', ({ get }) => get('/v1/plans/999999')],
  'errors.plan.missing': ['a subscription to nothing', ({ post }) => post('/v1/subscriptions', { stored_card_id: 1 })],
  'errors.plan.invalid': paid('a plan_id in words', { plan_id: 'monthly' }),
  'errors.plan.deactivated': [
    'a cancelled plan',
    async (world) => {
      const { id } = await world.plan()
      await world.send('DELETE', `/v1/plans/${id}`)
      return world.pay({ plan_id: id })
    },
  ],
  'errors.price.missing': [
    'a plan that has no price in the currency',
    async (world) => world.pay({ plan_id: (await world.plan()).id, currency: 'eur' }),
  ],
  'errors.stored_card.not_found': ['a stored card nobody made', ({ get }) => get('/v1/stored_cards/999999')],
  'errors.unauthorized': ['no login', ({ stranger }) => stranger.get('/v1/transactions')],
  'errors.subscription.not_found': ['a subscription nobody made', ({ get }) => get('/v1/subscriptions/999999')],
  'errors.customer.not_found': ['a customer nobody made', ({ get }) => get('/v1/customers/999999')],
  'errors.customer.missing': [
    'a subscription without a payer',
    async (world) => world.post('/v1/subscriptions', { plan_id: (await world.plan()).id }),
  ],
  'errors.payment_ref.invalid': prepared('no payment_ref', { payment_ref: undefined }),
  'errors.payment_ref.processed': [
    'a payment_ref for the second time',
    async (world) => {
      const { payment_ref } = (await world.pay()).body
      return world.pay({ payment_ref })
    },
  ],
  'errors.status.invalid': [
    'a stored card that is to be deleted by status',
    async (world) => world.put(`/v1/stored_cards/${(await world.storedCard()).id}`, { status: 'deleted' }),
  ],
  'errors.json.malformed': prepared('metadata that is no JSON', { metadata: 'hello' }),
  'errors.stored_card.not_active': [
    'the token of a cancelled card',
    async (world) => {
      const { id, token } = await world.storedCard()
      await world.send('DELETE', `/v1/stored_cards/${id}`)
      return world.pay({ card_number: token, card_type: 'STORED_CARD' })
    },
  ],
  'errors.webhook.invalid': prepared('a webhook without a trigger', { webhook: '{"url":"https://shop.example/"}' }),
  'errors.transaction_id.missing': ['a refund of nothing', ({ post }) => post('/v1/refunds', { amount: '1.00' })],
  'errors.transaction.processed': [
    'an update of an approved transaction',
    async (world) => world.put(`/v1/transactions/${await world.paidId()}`, { amount: '5.00', process: false }),
  ],
  'errors.invoice.not_purchable': billed('an invoice to Denmark', { country_code: 'DNK' }),
  'errors.reservation.not_approved': [
    'a capture of a pending transaction',
    async (world) => world.put(`/v1/transactions/${await world.preparedId()}/capture`, { amount: '10.00' }),
  ],
  'errors.personal_number.missing': billed('an invoice without personal number', { personal_number: undefined }),
  'errors.zip.missing': billed('an invoice without zip', { zip: undefined }),
  'errors.first_name.missing': billed('an invoice without first name', { first_name: undefined }),
  'errors.last_name.missing': billed('an invoice without last name', { last_name: undefined }),
  'errors.country_code.missing': billed('an invoice without country', { country_code: undefined }),
  'errors.address.missing': billed('an invoice without address', { address_1: undefined }),
  'errors.city.missing': billed('an invoice without city', { city: undefined }),
  'errors.payment_details.missing': billed('an invoice to nobody', {}, { payment_details: undefined }),
  'errors.company_name.missing': billed('an invoice to a company without name', { segmentation: 'b2b' }),
  'errors.payment_details.invalid': prepared('payment_details that are a list', { payment_details: '[1]' }),
  'errors.customer_ref.invalid': prepared('a customer_ref of 256 characters', { customer_ref: LONG(256) }),
  'errors.items.missing': billed('an invoice without items', {}, { items: undefined }),
  'errors.stored_card.not_test': [
    'a token of a live card with test=true',
    async (world) => {
      const { token } = await world.storedCard({ card_number: LIVE_NUMBER, test: false })
      return world.pay({ card_number: token, card_type: 'STORED_CARD' })
    },
  ],
  'errors.stored_card.is_test': [
    'a token of a test card with test=false',
    async (world) => {
      const { token } = await world.storedCard()
      return world.pay({ card_number: token, card_type: 'STORED_CARD', test: false })
    },
  ],
  'errors.subscription.status_invalid': [
    'stopping a subscription for the second time',
    async (world) => {
      const { id } = await world.subscription()
      await world.put(`/v1/subscriptions/${id}`, { status: 'cancelled' })
      return world.put(`/v1/subscriptions/${id}`, { status: 'cancelled' })
    },
  ],
  'errors.subscription.paid': [
    'a change of a subscription whose periods are all paid',
    async (world) => {
      const { id: plan_id } = await world.plan({ periods: 1 })
      const { subscription } = (await world.pay({ plan_id })).body
      return world.put(`/v1/subscriptions/${subscription?.id}`, { quantity: 2 })
    },
  ],
  'errors.customer_ref.taken': [
    'a ref for the second customer',
    async (world) => {
      await world.post('/v1/customers', { ref: 'taken' })
      return world.post('/v1/customers', { ref: 'taken' })
    },
  ],
  'errors.merchant.invoice.not_configured': [
    'an invoice of a merchant without contract',
    ({ strict }) => strict.post('/v1/transactions', invoice()),
  ],
  'errors.authentication.failed': [
    'a wrong password',
    ({ get }) => get('/v1/transactions', {}, { authorization: `Basic ${btoa('1:wrong')}` }),
  ],
  'errors.name.missing': planned('a plan without name', { name: undefined }),
  'errors.interval_unit.missing': planned('a plan without interval_unit', { interval_unit: undefined }),
  'errors.interval_unit.invalid': planned('a plan in weeks', { interval_unit: 'weeks' }),
  'errors.prices.missing': planned('a plan without prices', { prices: undefined }),
  'errors.interval.missing': planned('a plan without interval', { interval: undefined }),
  'errors.interval.invalid': planned('a plan with an interval of 0', { interval: 0 }),
  'errors.prices.invalid': planned('a plan with a price in words', { prices: '{"sek":"ten"}' }),
  'errors.encrypted_param.missing': paid('an encrypted parameter that is not sent', { encrypted: 'eci' }),
  'errors.not_found': ['an address that leads nowhere', ({ get }) => get('/v1/nothing')],
  'errors.decryption.failed': paid('a card number encrypted with another key', {
    encrypted: 'card_number',
    card_number: BAD_KEY,
  }),
  'errors.reason.too_long': refunded('a reason of 256 characters', { reason: LONG(256) }),
  'errors.encoding.invalid': ['a parameter that is not UTF-8', ({ raw }) => raw('payment_ref=%FF')],
  'errors.merchant.invalid': paid('the merchant_id of somebody else', { merchant_id: 2 }),
  'errors.webhook.not_found': ['a webhook nobody made', ({ get }) => get('/v1/webhooks/999999')],
  'errors.filter_parameter.not_supported': [
    'a filter on a field that has none',
    ({ get }) => get('/v1/transactions', { 'filter[card_cvv]': '200' }),
  ],
  'errors.filter_value.not_supported': [
    'a filter for a number in words',
    ({ get }) => get('/v1/transactions', { 'filter[id]': 'ten' }),
  ],
  'errors.account.locked': [
    'ten wrong passwords before',
    async ({ get }) => {
      const login = { authorization: `Basic ${btoa('77:wrong')}` }
      for (let failure = 1; failure <= 10; failure++) await get('/v1/transactions', {}, login)
      return get('/v1/transactions', {}, login)
    },
  ],
  'errors.ssn_or_country.missing': lookedUp('a look-up without number', { ssn: undefined }),
  'errors.ssn_token.failed': lookedUp('a look-up with the token of another page', { token: LONG(22) }),
  'errors.metadata.invalid': prepared('metadata that is a number', { metadata: '5' }),
  'errors.missing_or_invalid.ssn': billed('an invoice to a number nobody can have', {
    personal_number: '191212121213',
  }),
  'errors.missing_or_too_long.first_name': billed('a first name of 101 characters', { first_name: LONG(101) }),
  'errors.missing_or_too_long.last_name': billed('a last name of 101 characters', { last_name: LONG(101) }),
  'errors.invalid.email': billed('an e-mail without @', { email: 'anna' }),
  'errors.missing_or_invalid.phone_number': prepared('a swish_number in words', {
    payment_method: 'swish',
    swish_number: 'anna',
  }),
  'errors.missing_or_too_long.address_1': billed('an address of 101 characters', { address_1: LONG(101) }),
  'errors.missing_or_too_long.city': billed('a city of 101 characters', { city: LONG(101) }),
  'errors.missing_or_too_long.zip_code': billed('a zip of 11 characters', { zip: LONG(11) }),
  'errors.missing_or_invalid.country_code': billed('a country in digits', { country_code: '46' }),
  'errors.invoice.credit_approval_failed': billed('a test person without credit', { personal_number: '199610202385' }),
  'errors.invoice.amount.requested.lower_than_minimum_purchase_amount': billed('a test person who must buy more', {
    personal_number: '199312172381',
  }),
  'errors.invoice.amount.requested.higher_than_maximum_purchase_amount': billed('a test person who must buy less', {
    personal_number: '199312162390',
  }),
  'errors.helper.ssn.invalid_format': lookedUp('a look-up of no number', { ssn: 'anna' }),
  'errors.helper.ssn.for_sweden_must_be_12_digits': billed('a personal number without its century', {
    personal_number: '1212121212',
  }),
  'errors.service_not_available': [
    'a live card of a merchant that takes none',
    ({ strict }) => strict.post('/v1/transactions', payment({ card_number: LIVE_NUMBER, test: false })),
  ],
  'errors.request.json_error': ['a body that is no JSON', ({ raw }) => raw('{"amount":', 'application/json')],
  'errors.request.bad_format': prepared('a test that is neither true nor false', { test: 'perhaps' }),
  'errors.items.vat_missing': basket('an item without vat', { vat: undefined }),
  'errors.items.artno_missing': basket('an item without artno', { artno: undefined }),
  'errors.items.qty_missing': basket('an item without qty', { qty: undefined }),
  'errors.items.notes_too_long': basket('an item with notes of 251 characters', { notes: LONG(251) }),
  'errors.items.not_array': prepared('items that are no list', { items: '{"artno":"1"}' }),
  'errors.items.description_missing': basket('an item without description', { description: undefined }),
  'errors.items.amount_missing': basket('an item without amount', { amount: undefined }),
  'errors.items.description_too_long': basket('a description of 151 characters', { description: LONG(151) }),
  'errors.items.amount_not_valid': basket('an item with an amount in words', { amount: 'ten' }),
  'errors.items.transaction_amount_mismatch': basket('items that do not add up', { amount: '9.99' }),
  'errors.invoice.address_not_found': lookedUp('a test person no register knows', {}),
  'errors.invoice.invalid_registration_number': billed('a company with a number none can have', {
    segmentation: 'b2b',
    company_name: 'A',
    personal_number: '1',
  }),
  'errors.invoice.validation_address2_length': billed('a second address of 101 characters', { address_2: LONG(101) }),
  'errors.invoice.validation_company_name_length': billed('a company name of 101 characters', {
    segmentation: 'b2b',
    company_name: LONG(101),
  }),
  'errors.invoice.validation_email_length': billed('an e-mail of 257 characters', { email: `${LONG(256)}@` }),
  'errors.stored_card.store.declined': [
    'storing a live card of a merchant that takes none',
    ({ strict }) => strict.post('/v1/stored_cards', { ...CARD, card_number: LIVE_NUMBER, currency: 'sek' }),
  ],
  'errors.stored_card.token.invalid': paid('a card number as token', { card_type: 'STORED_CARD' }),
}
