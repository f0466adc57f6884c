import { OptionError } from '../domain/options.ts'
import { ADDRESS_PROFILES, type AddressProfile } from './addresses.ts'
import { httpCalls, type MakeCall } from './http-call.ts'
import { httpTransport } from './http-transport.ts'
import { RETRY_ON, type RetryOn } from './reply.ts'
import type { Transport } from './transport.ts'

/** How webhooks are sent. Everything may be left out. */
export interface WebhookOptions {
  /** PEM of an authority that targets may have their certificates from, besides those that Node comes with. */
  readonly ca?: string | undefined
  /** Which addresses may be called. Default: `local`. */
  readonly addresses?: AddressProfile | undefined
  /** Which answers are tried again. Default: `500`, nothing else. */
  readonly retryOn?: RetryOn | undefined
  /** Calls targets instead of HTTP. False: nothing is sent, and everything is kept until it is. */
  readonly call?: MakeCall | false | undefined
}

/** @throws OptionError */
export function readWebhookOptions({ addresses = 'local', retryOn = '500', ca, call }: WebhookOptions = {}) {
  if (!ADDRESS_PROFILES.includes(addresses))
    throw new OptionError(`The addresses of webhooks must be one of ${ADDRESS_PROFILES.join(', ')}.`)
  if (!RETRY_ON.includes(retryOn)) throw new OptionError(`Webhooks are retried on one of ${RETRY_ON.join(', ')}.`)
  return { addresses, retryOn, ca, call }
}

/** What sends webhooks, by their type, and how it ends. */
export function webhookTransports({ addresses, retryOn, ca, call }: ReturnType<typeof readWebhookOptions>): {
  readonly transports: Readonly<Record<string, Transport>>
  readonly call: MakeCall
  close(): void
} {
  const http = httpCalls({ ca, addresses })
  const make = call || http.call
  return {
    transports: call === false ? {} : { CustomHttp: httpTransport(make, retryOn) },
    call: make,
    close: http.close,
  }
}
