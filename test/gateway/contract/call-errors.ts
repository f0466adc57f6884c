import { CARD, encode, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { LIVE_NUMBER, type World } from '../errors/world.ts'
import { ITEM, invoice, PAYER } from '../payment-methods/fields.ts'

/**
 * Mistake in a call: fields that replace those of the call's first good request, and another
 * address if needed.
 */
export interface Wrong {
  readonly fields?: Fields
  readonly address?: string
}

const json = JSON.stringify
const LONG = (characters: number) => 'x'.repeat(characters)
const NOWHERE = 999_999

/** Card number that is formally valid, but of an unknown brand. */
const UNBRANDED = '9000000000000001'

/** Card that expires in the month of the gateway's start. The tests begin in the next month. */
export const EXPIRING = { card_expiry: '0326', card_holder: 'Expired' }

const CARD_WRONG: readonly Fields[] = [
  { card_number: undefined },
  { card_number: '4111111111111112' },
  { card_number: UNBRANDED, test: false },
  { card_holder: undefined },
  { card_holder: '4111 1111 1111 1111' },
  { card_cvv: undefined },
  { card_cvv: '1' },
  { card_expiry: undefined },
  { card_expiry: '1330' },
  { card_expiry: '0101' },
]

const BANK_SAYS_NO: readonly Fields[] = [
  { card_cvv: '201' },
  { card_cvv: '202' },
  { card_cvv: '203' },
]

const items = (over: Readonly<Record<string, string | undefined>>) => json([{ ...ITEM, ...over }])

const ITEMS_WRONG: readonly string[] = [
  'hello',
  '{"artno":"1"}',
  items({ vat: undefined }),
  items({ artno: undefined }),
  items({ artno: LONG(51) }),
  items({ qty: undefined }),
  items({ notes: LONG(251) }),
  items({ description: undefined }),
  items({ description: LONG(151) }),
  items({ amount: undefined }),
  items({ amount: 'ten' }),
]

const sent = (...all: readonly Fields[]): Wrong[] => all.map((fields) => ({ fields }))

const priced = (world: World, prices: string) => world.plan({ prices }).then(({ id }) => id)

async function cancelledPlan({ plan, send }: World): Promise<number> {
  const { id } = await plan()
  await send('DELETE', `/v1/plans/${id}`)
  return id
}

async function cancelledCard({ storedCard, send }: World): Promise<number> {
  const { id } = await storedCard()
  await send('DELETE', `/v1/stored_cards/${id}`)
  return id
}

const liveCard = async ({ storedCard }: World) =>
  (await storedCard({ card_number: LIVE_NUMBER, test: false })).id

const liveSubscription = async (world: World) =>
  `/v1/subscriptions/${(await world.subscription({ stored_card_id: await liveCard(world) })).id}`

async function expiredCard({ get }: World): Promise<number> {
  const { body } = await get<readonly { readonly id: number }[]>('/v1/stored_cards', {
    'filter[card_holder]': 'Expired',
  })
  return body[0]?.id ?? 0
}

const pageOf = async ({ post }: Pick<World, 'post'>, order: Fields) =>
  new URL((await post('/v1/transactions', prepared(order))).body.href).pathname

/** Returns the address of a page whose order has become invalid since it was prepared. */
async function pageOfPlan(
  world: World,
  change: (planId: number) => Promise<unknown>,
): Promise<string> {
  const { id } = await world.plan()
  const address = await pageOf(world, { plan_id: id })
  await change(id)
  return address
}

/**
 * Returns the address of a page on which a payment was declined before the order was paid
 * elsewhere.
 */
async function pageOfPaid(world: World): Promise<string> {
  const address = await pageOf(world, { payment_ref: 'paid elsewhere' })
  await world.send('POST', address, encode({ ...CARD, card_cvv: '201' }))
  await world.pay({ payment_ref: 'paid elsewhere' })
  return address
}

/** Returns the address of a page without remaining attempts, because its merchant allows one. */
async function pageUsedUp({ strict }: World): Promise<string> {
  const address = await pageOf(strict, {})
  await strict.send('POST', address, encode({ ...CARD, card_cvv: '201' }))
  return address
}

/** Order that was made a month before the tests begin. */
export const LONG_AGO = { payment_ref: 'long ago' }

async function pageExpired({ get }: World): Promise<string> {
  const { body } = await get<readonly { readonly href: string }[]>('/v1/transactions', {
    'filter[payment_ref]': LONG_AGO.payment_ref,
  })
  return new URL(body[0]?.href ?? '').pathname
}

async function lookUp({ post }: Pick<World, 'post'>, order: Fields): Promise<Fields> {
  const { id, href, merchant_id } = (await post('/v1/transactions', order)).body
  return { transaction_id: id, token: href.slice(-22), merchant_id }
}

/** Mistakes in the details of an invoice's payer, as typed on the page. */
const PAYERS_WRONG: readonly Fields[] = [
  Object.fromEntries(Object.keys(PAYER).map((name) => [name, undefined])),
  ...['country_code', 'personal_number', 'first_name', 'last_name', 'address_1', 'zip', 'city'].map(
    (name) => ({
      [name]: undefined,
    }),
  ),
  { segmentation: 'b2b' },
  { segmentation: 'b2d' },
  { country_code: 'USA' },
  { country_code: 'Sweden' },
  { personal_number: '191212121213' },
  { personal_number: '1212121212' },
  { personal_number: '191212121213', segmentation: 'b2b', company_name: 'Kaffe AB' },
  { first_name: LONG(101) },
  { last_name: LONG(101) },
  { address_1: LONG(101) },
  { address_2: LONG(101) },
  { zip: LONG(11) },
  { city: LONG(101) },
  { company_name: LONG(101), segmentation: 'b2b' },
  { email: 'anna' },
  { email: `${LONG(250)}@example.com` },
  { phone: 'none' },
]

/** Test persons whom the credit check declines. */
const REFUSED_PAYERS: readonly Fields[] = [
  '199107172380',
  '199610202385',
  '199312162390',
  '199312172381',
].map((personal_number) => ({ personal_number }))

const invoicePage = async (world: World, payer: Fields): Promise<Wrong> => ({
  address: await pageOf(world, { items: json([ITEM]) }),
  fields: { ...PAYER, payment_method: 'invoice', ...payer },
})

const ANSWERS = [
  ...[
    'canceled',
    'timeout',
    'insufficient_funds',
    'account_declined',
    'account_not_found',
    'disabled_user',
  ],
  ...['deposit_not_captured', 'no such answer'],
]

/** Returns the answer of a payer in the simulated app of a bank payment. */
async function askedPage(world: World, answer: string): Promise<Wrong> {
  const address = await pageOf(world, { payment_method: 'bank', process: true })
  return { address, fields: { action: 'answer', answer } }
}

/** Returns the form of a payer who chooses a stored card that is cancelled meanwhile. */
async function pageOfCard(world: World): Promise<Wrong> {
  const { id } = await world.storedCard({ customer_ref: 'who removes it' })
  const address = await pageOf(world, { customer_ref: 'who removes it' })
  await world.send('DELETE', `/v1/stored_cards/${id}`)
  return { address, fields: { stored_card: String(id) } }
}

/** Orders with mistakes that `test/gateway/errors` causes in another way. */
export const ORDERS_WRONG: readonly Fields[] = [
  payment({ plan_id: NOWHERE }),
  payment({ card_number: '0'.repeat(32), card_type: 'STORED_CARD' }),
  invoice({ personal_number: '199107172380' }),
]

/**
 * Wrong requests by call, in addition to the errors of every call and the requests of
 * `test/gateway/errors`.
 */
export const WRONG: Readonly<Record<string, (world: World) => Wrong[] | Promise<Wrong[]>>> = {
  updateTransaction: () => sent({ amount: '-1.00' }, { payment_ref: LONG(65) }),
  captureTransaction: async ({ paidId }) => [
    ...sent({ amount: 'ten' }, { amount: '99.00' }),
    { address: `/v1/transactions/${await paidId()}/capture` },
  ],
  captureNothing: () => sent({}, { amount: 'ten' }),
  createRefund: async ({ preparedId }) =>
    sent(
      { amount: 'ten' },
      { amount: '-1.00' },
      { transaction_id: NOWHERE },
      { transaction_id: await preparedId() },
    ),
  createStoredCard: () => [
    ...sent(...CARD_WRONG, ...BANK_SAYS_NO, { card_type: 'gold' }),
    ...sent({ currency: undefined }, { currency: 'EURO' }, { currency: 'XAF' }),
    ...sent({ customer_id: NOWHERE }, { customer_ref: LONG(256) }),
  ],
  updateStoredCard: () => [
    ...sent(
      { card_holder: ' ' },
      { card_holder: '4111 1111 1111 1111' },
      { card_expiry: '1330' },
      { card_expiry: '0101' },
    ),
    ...sent({ customer_id: NOWHERE }, { customer_ref: LONG(256) }),
  ],
  createCustomer: () => sent({ metadata: 'hello' }, { ref: LONG(256) }),
  updateCustomer: () => sent({ metadata: 'hello' }, { ref: LONG(256) }, { ref: 'taken' }),
  createPlan: () => sent({ prices: 'hello' }),
  updatePlan: () => [
    ...sent(
      { status: 'deleted' },
      { prices: 'hello' },
      { prices: '{"sek":""}' },
      { prices: '{"sek":"ten"}' },
    ),
    ...sent({ name: ' ' }, { interval_unit: 'weeks' }, { interval: 0 }),
  ],
  createSubscription: async (world) => [
    ...ITEMS_WRONG.map((subscription_items) => ({ fields: { subscription_items } })),
    ...sent({ plan_id: NOWHERE }, { plan_id: 'monthly' }, { plan_id: await cancelledPlan(world) }),
    ...sent({ plan_id: await priced(world, '{"eur":"1.00"}') }),
    ...sent({ plan_id: await priced(world, '{"sek":"90071992547409.91"}'), quantity: 2 }),
    ...sent({ currency: 'EURO' }, { currency: 'XAF' }, { test: false }),
    ...sent({ stored_card_id: NOWHERE }, { stored_card_id: await cancelledCard(world) }),
    ...sent(
      { stored_card_id: await expiredCard(world) },
      { stored_card_id: await liveCard(world), test: true },
    ),
    ...sent({ stored_card_id: undefined, customer_id: NOWHERE }),
    ...sent({ stored_card_id: undefined, customer_ref: LONG(256) }),
  ],
  updateSubscription: async (world) => [
    ...sent({ plan_id: NOWHERE }, { plan_id: 'monthly' }, { plan_id: await cancelledPlan(world) }),
    ...sent({ plan_id: await priced(world, '{"eur":"1.00"}') }),
    ...sent({ debt: 'ten' }, { status: 'deleted' }, { metadata: 'hello' }),
    ...sent({ stored_card_id: NOWHERE }, { stored_card_id: await cancelledCard(world) }),
    ...sent(
      { stored_card_id: await expiredCard(world) },
      { stored_card_id: await liveCard(world) },
    ),
    {
      address: await liveSubscription(world),
      fields: { stored_card_id: (await world.storedCard()).id },
    },
  ],
  submitForm: () => sent({ merchant_id: NOWHERE }, { page_token: 'A'.repeat(22) }),
  showPaymentPage: async (world) => [
    { address: await pageUsedUp(world) },
    { address: await pageExpired(world) },
    { address: await pageOf(world, { amount: '0.00' }) },
    { address: await pageOf(world, { amount: '10.0' }) },
  ],
  authenticateOrder: () =>
    sent(
      { merchant_id: NOWHERE },
      ...CARD_WRONG.map((fields) => ({ ...fields, mpi_nonce: undefined, plan_id: undefined })),
    ),
  submitPaymentPage: async (world) => [
    ...sent({ version: 'another' }),
    { address: await pageUsedUp(world) },
    { address: await pageExpired(world) },
    ...sent(...CARD_WRONG.filter(({ test }) => test === undefined), ...BANK_SAYS_NO),
    { address: await pageOf(world, { test: false }), fields: { card_number: UNBRANDED } },
    { address: await pageOf(world.strict, { test: false }), fields: { card_number: LIVE_NUMBER } },
    { address: await pageOf(world, { amount: '0.00' }) },
    { address: await pageOf(world, { amount: '10.0' }) },
    {
      address: await pageOfPlan(world, (id) =>
        world.put(`/v1/plans/${id}`, { prices: '{"eur":"1.00"}' }),
      ),
    },
    { address: await pageOfPlan(world, (id) => world.send('DELETE', `/v1/plans/${id}`)) },
    { address: await pageOfPaid(world) },
    ...sent(
      { payment_method: 'invoice' },
      { metadata: 'hello' },
      { metadata: '{"a":' },
      { metadata: '[1]' },
    ),
    ...(await Promise.all(
      [...PAYERS_WRONG, ...REFUSED_PAYERS].map((payer) => invoicePage(world, payer)),
    )),
    ...(await Promise.all(ANSWERS.map((answer) => askedPage(world, answer)))),
    await pageOfCard(world),
    {
      address: await pageOf(world, { metadata: json({ plans: [(await world.plan()).id] }) }),
      fields: { plan_id: 'x' },
    },
  ],
  getAsset: () => [{ address: '/assets/%FF' }],
  findAddress: async (world) =>
    sent(
      { country: 'DNK' },
      await lookUp(world, payment()),
      await lookUp(world.strict, prepared({ test: false })),
    ),
}
