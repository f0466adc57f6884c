/** The payment service's API, as a shop's server calls it. */
import { type Merchant, type Payment, pays, type Transaction } from './payment.ts'

/**
 * Thrown if the payment service rejects a call or the bank declines. `name` is the error name, such
 * as `errors.payment.declined`; `message` is for the payer.
 */
export class Refused extends Error {
  constructor(name: string, description: string) {
    super(description)
    this.name = name
  }
}

/**
 * One call: fields go into the query of a GET and into the body of everything else.
 * @throws Refused when the service says no; Error when it cannot be reached, or what it says makes
 *   no sense
 */
export type Call = <T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  fields?: Readonly<Record<string, string>>,
) => Promise<T>

/** @param base the service's API address, e.g. http://localhost:4400 */
export function getCaller(base: string, { id, password }: Merchant): Call {
  const authorization = `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`
  return async (method, path, fields = {}) => {
    const form = new URLSearchParams(fields)
    const [url, body] = method === 'GET' ? [`${base}${path}?${form}`, null] : [base + path, form]
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(url, { method, body, headers: { authorization }, signal })
    if (answer.ok) return await answer.json()
    if (answer.status !== 400 && answer.status !== 404)
      throw new Error(`The payment service answered ${answer.status} to ${method} ${path}`)
    const { name, description } = (await answer.json()) as { name: string; description: string }
    throw new Refused(name, description)
  }
}

/**
 * The approved transaction of a payment, if there is one: asked of the service itself, so no page
 * can make it up.
 */
export async function findPayment<T extends Transaction>(
  call: Call,
  payment: Payment,
  merchant: Merchant,
): Promise<T | undefined> {
  const approved = { 'filter[payment_ref]': payment.payment_ref, 'filter[status]': 'approved' }
  const found = await call<T[]>('GET', '/v1/transactions', approved)
  return found.find((transaction) => pays(transaction, payment, merchant))
}
