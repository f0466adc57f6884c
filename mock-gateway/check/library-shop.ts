import { CheckError } from './errors.ts'
import type { Payer } from './payer.ts'
import {
  findForms,
  type PageRequest,
  request,
  type ShopAnswer,
  type ShopRequest,
} from './shop-calls.ts'

/** Fields without which the browser library cannot start a payment. */
const SIGNED = ['merchant_id', 'payment_ref', 'amount', 'currency', 'hash']

/** Address to which the shop's page reports a payment. */
export interface Report {
  address(paymentRef: string): URL
  /** Fields of a form, with names such as `{id}`. Default: the transaction as JSON. */
  readonly fields: Readonly<Record<string, string>> | undefined
}

/** The plan does not say how the shop's page reports a payment. */
export class NoReportError extends CheckError {}

/** Finds the fields of an order, in a form of a page or in JSON. */
export function findOrderFields(answer: ShopAnswer, url: URL): URLSearchParams | undefined {
  const found =
    findJsonFields(answer.text) ?? findForms(answer.text, url).map((form) => form.fields)
  return found.find((fields) => SIGNED.every((name) => fields.get(name)))
}

/** A shop whose page pays with the browser library. The check pays on the payment page instead. */
export function createLibraryShop(gatewayUrl: string, shopUrl: string, report: Report | undefined) {
  const orders = new Map<string, URLSearchParams>()
  const findOrder = (address: URL) =>
    [...orders].find(([reported]) => isAtAddress(address, new URL(reported)))?.[1]
  return {
    /** Returns the request that opens the payment page for an order. @throws CheckError */
    payRequest(order: URLSearchParams): PageRequest {
      const body = new URLSearchParams(order)
      if (report) {
        const { href } = report.address(body.get('payment_ref') ?? '')
        orders.set(href, order)
        body.set('success_url', href)
      }
      if (!body.get('success_url'))
        throw new NoReportError(
          'The shop pays with the browser library. Write into the plan how its page reports a payment: "report": { "post": "/orders/{payment_ref}/result" }',
        )
      if (!body.get('error_url')) body.set('error_url', shopUrl)
      return { url: new URL('/v1/form', gatewayUrl), init: { method: 'POST', body } }
    },
    /** Wraps a payer: a visit to a report address sends the report that the shop's page would send. */
    withReport: (payer: Payer): Payer => ({
      ...payer,
      async visit(address) {
        const url = new URL(address)
        const order = report && findOrder(url)
        if (!order) return payer.visit(address)
        const paymentRef = order.get('payment_ref') ?? ''
        const sent = reportRequest(order, url, report.fields)
        return (await request(report.address(paymentRef), sent)).status
      },
    }),
  }
}

/** Returns the request of a page that reports a payment with the values of a return address. */
function reportRequest(
  order: URLSearchParams,
  { searchParams: returned }: URL,
  fields: Report['fields'],
): ShopRequest {
  const transaction = {
    id: Number(returned.get('transaction_id')),
    payment_ref: returned.get('payment_ref') ?? order.get('payment_ref'),
    amount: order.get('amount'),
    currency: order.get('currency'),
    status: returned.get('status'),
    test: order.get('test') === 'true',
    response_hash: returned.get('hash'),
  }
  if (!fields)
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(transaction),
    }
  const values = new Map(Object.entries(transaction).map(([name, value]) => [`{${name}}`, value]))
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, text]) => [name, String(values.get(text) ?? text)]),
  )
  return { method: 'POST', body }
}

/** Returns true if an address equals another one, apart from values that were added to its query. */
const isAtAddress = (address: URL, { origin, pathname, searchParams }: URL): boolean =>
  address.origin === origin &&
  address.pathname === pathname &&
  [...searchParams].every(([name, value]) => address.searchParams.get(name) === value)

/** Returns the values of a JSON object, and of the objects in it; undefined for other texts. */
function findJsonFields(text: string): readonly URLSearchParams[] | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const object = JSON.parse(text) as object
    return [object, ...Object.values(object)].map(
      (value) =>
        new URLSearchParams(Object.entries(value ?? {}).map(([key, at]) => [key, `${at}`])),
    )
  } catch {
    return undefined
  }
}
