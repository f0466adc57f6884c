import { GatewayError } from '../domain/errors/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Merchant } from '../domain/merchant.ts'
import { hashResponse } from '../domain/order/hash.ts'
import { ALTERATIONS, type Alteration, type AlterationName } from '../domain/webhook/alterations.ts'
import type { FullDelivery } from '../storage/tables/webhook-deliveries.ts'
import { type AdministerDependencies, requireFullDelivery } from './administer.ts'
import type { HttpCall, MakeCall } from './http-call.ts'
import { createHttpTransport } from './http-transport.ts'
import { readHashedResponse } from './signature-check.ts'
import { type Reply, sendOnce, type Transport } from './transport.ts'

/** A message and its alteration. */
interface SendAltered {
  readonly id: number
  readonly changes: readonly AlterationName[]
  /** Order in the altered message, for `other_order`. */
  readonly paymentRef: string | undefined
  /** Number of copies. All connections are open before the first body is sent. */
  readonly copies: number
  /** Milliseconds for the shop's answer. */
  readonly within: number
}

/**
 * Sends altered copies of a delivery immediately. The delivery does not change, because an altered
 * copy is not an attempt.
 * @returns the shop's answers
 * @throws errors.webhook.not_found (204), errors.request.bad_format (253) if the delivery cannot be
 *   altered
 */
export async function sendAltered(
  dependencies: AdministerDependencies,
  call: MakeCall,
  findMerchant: (id: number) => Promise<Merchant | undefined>,
  { id, changes, paymentRef, copies, within }: SendAltered,
): Promise<readonly Reply[]> {
  const delivery = await requireFullDelivery(dependencies, { id })
  const merchant = await findMerchant(delivery.merchant_id)
  if (
    !merchant ||
    delivery.type !== 'CustomHttp' ||
    delivery.http_method !== 'post' ||
    delivery.data_format === 'xml'
  )
    throw new GatewayError('errors.request.bad_format', {
      explain: 'Only a delivery with method POST and format json or form_data can be altered.',
    })
  const alteration = combine(changes, paymentRef)
  const opened = copies > 1 ? createBarrier(copies) : undefined
  const http = createHttpTransport(
    (original) => call({ ...alterCall(original, alteration), opened }),
    '500',
    within,
  )
  const send: Transport = (sending, signal) =>
    http({ ...sending, timestamp: sending.timestamp - (alteration.age ?? 0) }, signal)
  const signed =
    alteration.signature === 'valid'
      ? signAgain(delivery, merchant, alteration)
      : { delivery, merchant }
  const signal = AbortSignal.timeout(within)
  return Promise.all(
    Array.from({ length: copies }, async () => {
      const { sent } = await sendOnce(send, signed, dependencies.machine, signal)
      return sent.reply
    }),
  )
}

/** Creates a function whose promises resolve at its last call. @param calls number of calls */
function createBarrier(calls: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let made = 0
  return () => {
    made += 1
    if (made === calls) resolve()
    return promise
  }
}

function combine(changes: readonly AlterationName[], paymentRef: string | undefined): Alteration {
  const known: readonly Alteration[] = changes.map((change) => ALTERATIONS[change])
  const fields = known.map((alteration) => alteration.fields ?? {})
  const order = paymentRef === undefined ? {} : { payment_ref: paymentRef }
  return Object.assign({}, ...known, { fields: Object.assign({}, ...fields, order) })
}

/** Replaces fields before the message is signed, in the name of the merchant in its body. */
function signAgain(
  delivery: FullDelivery,
  merchant: Merchant,
  { fields }: Alteration,
): { readonly delivery: FullDelivery; readonly merchant: Merchant } {
  const body = { ...(JSON.parse(delivery.body) as JsonObject), ...fields }
  const response_hash = hashResponse(readHashedResponse(body), merchant.secret)
  return {
    delivery: { ...delivery, body: JSON.stringify({ ...body, response_hash }) },
    merchant: { ...merchant, id: Number(body.merchant_id) },
  }
}

const SIGNATURE = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** A signature that no key produces. */
const WRONG_SIGNATURE = `v1,${Buffer.alloc(32).toString('base64')}`

function alterCall(call: HttpCall, { signature, fields, cut }: Alteration): HttpCall {
  const whole = fields && signature !== 'valid' ? withFields(call, fields) : call.body
  const body = cut ? whole.slice(0, whole.length / 2) : whole
  const kept = Object.entries(call.headers).filter(
    ([name]) => signature !== 'none' || !SIGNATURE.includes(name),
  )
  const headers = {
    ...Object.fromEntries(kept),
    'content-length': String(Buffer.byteLength(body)),
    ...(signature === 'wrong' ? { 'webhook-signature': WRONG_SIGNATURE } : {}),
  }
  return { ...call, headers, body }
}

function withFields(
  { headers, body }: HttpCall,
  fields: NonNullable<Alteration['fields']>,
): string {
  if (headers['content-type']?.startsWith('application/json'))
    return JSON.stringify({ ...JSON.parse(body), ...fields })
  const form = new URLSearchParams(body)
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  return String(form)
}
