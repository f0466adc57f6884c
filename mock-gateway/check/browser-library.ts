/**
 * A shop whose page pays with the browser library: the payer stays in the shop, and the page reports
 * the payment to the shop's server. The check runs no script of the page. It pays on the payment page
 * with the fields of the order, and sends the report itself.
 */
import { CheckError } from './errors.ts'
import type { Payer } from './payer.ts'
import { insertFields } from './plan-schema.ts'
import {
  findForms,
  type PageRequest,
  request,
  type ShopAnswer,
  type ShopRequest,
} from './shop-calls.ts'

/** Fields without which the browser library cannot start a payment. */
const SIGNED = ['merchant_id', 'payment_ref', 'amount', 'currency', 'hash']

/** How the shop's page reports a payment. */
export interface Report {
  createAddress(paymentRef: string): URL
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

/** Creates the actions that a shop's pages run for its payers. */
export function createLibraryPages(gatewayUrl: string, shopUrl: string, report?: Report) {
  /** Fields of the orders, by the address to which their page reports. */
  const orders = new Map<string, URLSearchParams>()
  return {
    /** Returns the request that opens the payment page for an order. @throws CheckError */
    openPaymentPage(order: URLSearchParams): PageRequest {
      const body = new URLSearchParams(order)
      if (report) {
        const { href } = report.createAddress(body.get('payment_ref') ?? '')
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
    /** Lets a payer who visits the address of a report send the report instead. */
    reportAtVisit: (payer: Payer): Payer => ({
      ...payer,
      async visit(address) {
        const url = new URL(address)
        const reported = [...orders].find(([href]) => isAtAddress(url, new URL(href)))
        if (!reported) return payer.visit(address)
        const [href, order] = reported
        return (await request(href, createReport(order, url.searchParams, report?.fields))).status
      },
    }),
  }
}

/** Returns true if an address equals another one, apart from values that were added to its query. */
const isAtAddress = (address: URL, { origin, pathname, searchParams }: URL): boolean =>
  address.origin === origin &&
  address.pathname === pathname &&
  [...searchParams].every(([name, value]) => address.searchParams.get(name) === value)

/** Creates the report of a page, with the values of a return address. */
function createReport(
  order: URLSearchParams,
  returned: URLSearchParams,
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
  if (fields) return { method: 'POST', body: insertFields(fields, transaction) }
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(transaction) }
}

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
