import { TEST_PERSONS } from '../../../mock-gateway/acquirer/test-persons.ts'
import type { Customer, Refund } from '../../../mock-gateway/contract/wire.ts'
import { type Call, listCalls } from '../../../mock-gateway/web/docs/contract.ts'
import { styleAddress } from '../../helpers/assets.ts'
import { readContract } from '../../helpers/contract.ts'
import { read } from '../../helpers/documents.ts'
import {
  CARD,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  URLS,
} from '../../helpers/gateway.ts'
import type { World } from '../errors/world.ts'
import { ITEM, PAYER } from '../payment-methods/fields.ts'

export const contract = readContract()

/** Every call of the contract, without aliases and CORS preflights. */
export const CALLS = listCalls(contract).filter(
  ({ method, path, pointer }) =>
    method !== 'options' && pointer.startsWith(`/paths/${path.replaceAll('/', '~1')}/`),
)

export const titleOf = ({ method, path }: Call) => `${method.toUpperCase()} ${path}`

/** Creates a new object, and returns its id in an address. */
const MAKERS: Readonly<Record<string, (world: World) => Promise<string | number>>> = {
  transactions: ({ preparedId }) => preparedId(),
  refunds: async (world) => (await world.post<Refund>('/v1/refunds', await refund(world))).body.id,
  stored_cards: async ({ storedCard }) => (await storedCard()).id,
  customers: async ({ post }) => (await post<Customer>('/v1/customers')).body.id,
  plans: async ({ plan }) => (await plan()).id,
  subscriptions: async ({ subscription }) => (await subscription()).id,
  subscription: async ({ subscription }) => (await subscription()).id,
  webhooks: async ({ prepare }) =>
    (await prepare({ webhook: json({ trigger: 'payment', email: 'a@b.example' }) })).body
      .webhooks[0]?.id ?? 0,
  form: async ({ prepare }) => (await prepare()).body.href.slice(-22),
  assets: async (world) => (await styleAddress(world)).replace('/assets/', ''),
  attempts: async () => 'an-attempt-of-the-page',
  payment: async ({ prepare }) => (await prepare()).body.href.slice(-22),
  acs: challenged,
  mpi_js: authenticated,
}

const json = JSON.stringify

let authentications = 0

/** Returns the nonce of a finished authentication, with a card that is never challenged. */
async function authenticated({ stranger }: World) {
  authentications += 1
  const mpi_nonce = String(authentications).padStart(32, '0')
  await stranger.post('/v1/mpi_js', payment({ merchant_id: 1, mpi_nonce }))
  return mpi_nonce
}

/** Returns the last part of the address of the bank, for a payer with a challenge. */
async function challenged({ stranger }: World) {
  const { headers } = await stranger.post(
    '/v1/mpi_js',
    payment({ merchant_id: 1, card_number: '4000000000001091' }),
  )
  return new URL(headers.get('location') ?? '').pathname.split('/').at(-1) ?? ''
}

const signed = (fields: Fields): Fields => hashed(fields, MERCHANT)

const refund = async ({ paidId }: World): Promise<Fields> => ({
  transaction_id: await paidId(),
  amount: '1.00',
  reason: 'Returned',
})

/** Returns the address of a call, with the id of a new object in place of each parameter. */
export async function addressOf(world: World, { path }: Call): Promise<string> {
  if (path.startsWith('/docs/'))
    return path.replace('{document}', 'glossary').replace('{kind}/{name}', 'errors/107')
  if (path.startsWith('/v2/mondido-')) return path.replace('{version}', LIBRARY_VERSION)
  const [, kind = ''] = /\/(\w+)\/\{/.exec(path) ?? []
  const made = await (path.endsWith('/capture')
    ? world.paidId({ authorize: true })
    : MAKERS[kind]?.(world))
  return path.replace(/\{\w+\}/, String(made))
}

const { version: LIBRARY_VERSION } = JSON.parse(read('sdk/package.json'))

/** Returns every field of a new or changed order. */
const order = async ({ plan }: World): Promise<Fields> => ({
  vat_amount: '2.00',
  authorize: false,
  store_card: true,
  items: json([{ ...ITEM, discount: '0', notes: 'Blue' }]),
  metadata: '{"order":1}',
  payment_details: json(PAYER),
  plan_id: (await plan()).id,
  start_date: '2026-04-01',
  subscription_quantity: 2,
  subscription_items: json([ITEM]),
})

const webhooks = {
  webhook: json({ trigger: 'payment', email: 'a@b.example' }),
  webhooks: json([{ trigger: 'refund', url: 'https://shop.example/hook' }]),
}

type Sent = (world: World) => Fields | Promise<Fields>

const CHANGES: readonly Sent[] = [
  async (world) => payment(await order(world)),
  () => ({ order_id: payment().payment_ref, ...CARD }),
]

/**
 * Valid requests by call; together they have all parameters of the call. Calls that are not listed
 * need none.
 */
export const SENT: Readonly<Record<string, readonly Sent[]>> = {
  createTransaction: [
    async (world) =>
      signed(
        payment({
          ...(await order(world)),
          ...webhooks,
          template_id: 1,
          mondido_attempt: 'a'.repeat(22),
        }),
      ),
    // Empty values count as not sent, as in a payment without 3-D Secure.
    () => signed(payment({ ref: '', eci: '', provider_ref: '' })),
    () => prepared({ ...oldName('created'), payment_method: 'swish', swish_number: '0701234567' }),
  ],
  updateTransaction: CHANGES,
  updateTransactionAtV2: CHANGES,
  answerBank: [
    () => ({ action: 'result', result: 'Y' }),
    () => ({ code: '1234' }),
    () => ({ answer: '1234' }),
    () => ({ action: 'case', case: '11' }),
  ],
  notePageOfBank: [() => ({ page: 'a page', left: 'true' })],
  captureTransaction: [() => ({ amount: '1.00' })],
  captureNothing: [() => ({ amount: '1.00' })],
  createRefund: [async (world) => ({ ...(await refund(world)), ref: 'R7' })],
  createStoredCard: [() => ({ ...CARD, card_type: 'VISA', currency: 'sek', test: true })],
  updateStoredCard: [() => ({ status: 'active', card_holder: 'Kim Berg', card_expiry: '1131' })],
  createCustomer: [() => ({ metadata: '{"group":4}' })],
  updateCustomer: [() => ({ metadata: '{"group":4}' })],
  createPlan: [
    () => ({ name: 'Monthly', interval: 1, interval_unit: 'months', prices: '{"sek":"10.00"}' }),
  ],
  updatePlan: [() => ({ status: 'cancelled' })],
  createSubscription: [
    async ({ plan, storedCard }) => ({
      plan_id: (await plan()).id,
      stored_card_id: (await storedCard()).id,
      subscription_items: json([{ ...ITEM, discount: '0', notes: 'Blue' }]),
    }),
    async ({ plan, storedCard }) => {
      await storedCard({ customer_ref: 'subscriber' })
      return { plan_id: (await plan()).id, customer_ref: 'subscriber' }
    },
  ],
  updateSubscription: [() => ({ debt: '1.00' })],
  submitForm: [
    async (world) =>
      signed(
        prepared({
          ...(await order(world)),
          ...webhooks,
          ...CARD,
          process: true,
          mondido_attempt: 'b'.repeat(22),
        }),
      ),
    () =>
      signed(
        prepared({ ...CARD, process: true, ref: 'f'.repeat(32), eci: '05', provider_ref: 'sim_1' }),
      ),
    () => prepared({ ...oldName('by form'), payment_method: 'swish', swish_number: '0701234567' }),
  ],
  showPaymentPage: [() => ({ 'payment.selected': 'swish', plan: '1', removed: 'card' })],
  submitPaymentPage: [
    () => CARD,
    () => ({
      ...CARD,
      card_expiry: undefined,
      expMM: '12',
      expYY: '30',
      version: '',
      stored_card: '',
      plan_id: '1',
    }),
    () => ({
      ...CARD,
      ...PAYER,
      step: 'address',
      email: 'a@b.se',
      phone: '0701234567',
    }),
    () => ({
      ...CARD,
      store_card: true,
      'metadata["news"]': 'on',
      address_2: 'c/o',
      ssn: PAYER.personal_number,
    }),
    () => ({
      ...CARD,
      company_name: 'Kaffe AB',
      segmentation: 'b2c',
      campaign: '1',
      masterpass: 1,
    }),
    () => ({ swish: 1, swish_number: '0701234567' }),
    () => ({ trustly: 1 }),
    () => ({ paypal: 1 }),
    () => ({ action: 'answer', answer: 'approved' }),
    () => ({ action: 'remove_card', stored_card: '1' }),
  ],
  authenticateOrder: [
    async (world) =>
      signed(
        payment({
          ...(await order(world)),
          ...webhooks,
          ...URLS,
          merchant_id: 1,
          template_id: 1,
          mondido_attempt: 'c'.repeat(22),
          mpi_nonce: 'd'.repeat(32),
        }),
      ),
    () => ({
      merchant_id: 1,
      ...oldName('by window'),
      ...CARD,
      amount: '10.00',
      currency: 'sek',
      test: true,
      swish_number: '0701234567',
    }),
  ],
  getAuthentication: [() => ({ merchant_id: 1 })],
  cancelAuthentication: [() => ({ merchant_id: 1 })],
  findAddress: [
    async ({ prepare }) => {
      const { id, href } = (await prepare()).body
      return {
        token: href.slice(-22),
        transaction_id: id,
        merchant_id: 1,
        ssn: TEST_PERSONS[0]?.number,
        country: 'SWE',
      }
    },
  ],
}

/** Returns an order with order_id, the old name of payment_ref. */
function oldName(order_id: string): Fields {
  const { hash } = hashed(
    { amount: '10.00', currency: 'sek', payment_ref: order_id, test: true },
    MERCHANT,
  )
  return { payment_ref: undefined, order_id, hash }
}
