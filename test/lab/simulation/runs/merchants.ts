import { createHash } from 'node:crypto'
import { MERCHANTS } from './plan.ts'

/** Merchant with the credentials of its shops. */
export interface SimulatedMerchant {
  readonly id: number
  readonly password: string
  readonly secret: string
}

/** Public default password, so that no gateway needs to calculate its digest. */
const PASSWORD = 'custom00'

const merchants = MERCHANTS.map(
  (id): SimulatedMerchant => ({ id, password: PASSWORD, secret: `secret of ${id}` }),
)

/** Mail templates of the second merchant, which gets a mail for each payment and refund. */
const MAILS = ['payment', 'refund'].map((trigger) => ({
  name: trigger,
  trigger,
  email: 'orders@shop-2.example',
}))

export const seeds = () =>
  merchants.map((merchant) => ({
    ...merchant,
    settings: { webhooks: merchant.id === 2 ? MAILS : [] },
  }))

/**
 * Returns a merchant by its id.
 * @throws TypeError if there is none
 */
function merchantOf(id: number): SimulatedMerchant {
  const found = merchants.find((merchant) => merchant.id === id)
  if (!found) throw new TypeError(`There is no merchant ${id}`)
  return found
}

export const login = (id: number): string => `Basic ${btoa(`${id}:${merchantOf(id).password}`)}`

/** Fields of a request. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>

/** Calculates the hash of a request (specification: Hashes), without the gateway's code. */
export function signed(merchant: number, fields: Fields): Fields {
  const { payment_ref = '', customer_ref = '', amount = '', currency = '', test } = fields
  const parts = [
    merchant,
    payment_ref,
    customer_ref,
    amount,
    String(currency).toLowerCase(),
    test ? 'test' : '',
  ]
  const text = [...parts, merchantOf(merchant).secret].join('')
  return { ...fields, hash: createHash('md5').update(text).digest('hex') }
}

/**
 * Shop addresses to which a payer returns, as in the helpers of other tests. To import those helpers
 * would load the gateway before a simulation run replaces its parts.
 */
export const URLS = {
  success_url: 'https://shop.example/thanks',
  error_url: 'https://shop.example/sorry',
}

export const form = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()
