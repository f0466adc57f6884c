import { appendQuery, writeBody, writeForm } from './body.ts'
import type { MakeCall } from './http-call.ts'
import { createSignatureHeaders, listSigningKeys } from './signature.ts'
import { type DeliveryAttempt, decideOutcome, type RetryOn, type Transport } from './transport.ts'

/** Milliseconds for a call: handlers sleep up to 75 seconds (our decision). */
const CALL_MS = 90_000

/**
 * Sends deliveries of type CustomHttp (specification: Custom HTTP).
 * @param within milliseconds for a call
 */
export const createHttpTransport =
  (call: MakeCall, retryOn: RetryOn, within = CALL_MS): Transport =>
  async (sending, signal) => {
    const { delivery } = sending
    const url = delivery.url ?? ''
    if (delivery.http_method === 'get') {
      const query = writeForm(delivery.body)
      const headers = createHeaders(sending, '')
      const address = appendQuery(url, query)
      const reply = await call({ url: address, method: 'GET', headers, body: '', within, signal })
      return {
        outcome: decideOutcome(reply, retryOn),
        requestBody: query,
        requestHeaders: headers,
        reply,
      }
    }
    const { contentType, text } = writeBody(delivery.body, delivery.data_format ?? 'json')
    const length = String(Buffer.byteLength(text))
    const headers = {
      ...createHeaders(sending, text),
      'content-type': contentType,
      'content-length': length,
    }
    const reply = await call({ url, method: 'POST', headers, body: text, within, signal })
    return {
      outcome: decideOutcome(reply, retryOn),
      requestBody: text,
      requestHeaders: headers,
      reply,
    }
  }

const createHeaders = (
  { delivery, merchant, attempt, timestamp }: DeliveryAttempt,
  body: string,
) => ({
  'user-agent': 'mondido-gateway',
  accept: '*/*',
  ...createSignatureHeaders(
    { id: delivery.message_id, timestamp, body },
    listSigningKeys(merchant),
  ),
  'webhook-attempt': String(attempt),
  ...(delivery.traceparent !== null && { traceparent: delivery.traceparent }),
})
