import { OptionError } from '../domain/options.ts'
import { ADDRESS_PROFILES, type AddressProfile } from '../domain/webhook/addresses.ts'
import { isMailAddress } from '../domain/webhook/request.ts'
import { createHostCheck, type HostCheck } from './host-check.ts'
import { createHttpCalls, type HttpCall, type MakeCall } from './http-call.ts'
import { createHttpTransport } from './http-transport.ts'
import { createSmtpSender } from './mail/mail.ts'
import { createMailTransport, type MailDependencies } from './mail/mail-transport.ts'
import { RETRY_ON, type Reply, type RetryOn, type Transport } from './transport.ts'

/** Options of webhooks; all are optional. */
export interface WebhookOptions {
  /** PEM of an additional certificate authority for targets, next to those of Node. */
  readonly ca?: string | undefined
  /** Profile of allowed addresses. Default: `local`. */
  readonly addresses?: AddressProfile | undefined
  /** Answers that are retried. Default: only `500`. */
  readonly retryOn?: RetryOn | undefined
  /** Address of an SMTP server, such as smtp://localhost:1025. Default: mails are only stored. */
  readonly smtp?: string | undefined
  /** Sender of mails. */
  readonly from?: string | undefined
  /** Replaces HTTP calls. False: nothing is sent, and deliveries wait. */
  readonly call?: MakeCall | false | undefined
  /**
   * Answers calls to receivers in this process without a network. Undefined as its result: the call
   * is sent over HTTP.
   */
  readonly answerInProcess?: ((call: HttpCall) => Reply | undefined) | undefined
}

/** @throws OptionError */
export function readWebhookOptions(given: WebhookOptions = {}) {
  const { addresses = 'local', retryOn = '500', from = DEFAULT_FROM } = given
  const { ca, call, answerInProcess, smtp } = given
  if (!ADDRESS_PROFILES.includes(addresses))
    throw new OptionError(
      `The addresses of webhooks must be one of ${ADDRESS_PROFILES.join(', ')}.`,
    )
  if (!RETRY_ON.includes(retryOn))
    throw new OptionError(`Webhooks are retried on one of ${RETRY_ON.join(', ')}.`)
  if (smtp !== undefined && !/^smtps?:$/.test(URL.parse(smtp)?.protocol ?? ''))
    throw new OptionError(
      'The SMTP server of mails must be an address such as smtp://localhost:1025.',
    )
  if (!isMailAddress(from)) throw new OptionError('The sender of mails must be one plain address.')
  return { addresses, retryOn, ca, call, answerInProcess, smtp, from }
}

const DEFAULT_FROM = 'gateway@mondido.local'

/** Returns the address of a database server; undefined for a file or a socket. */
function parseMailServer(
  database = '',
): { readonly host: string; readonly port: number } | undefined {
  const url = URL.parse(database)
  if (!url || !/^postgres/.test(url.protocol) || url.hostname === '') return undefined
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 5432) }
}

/**
 * Creates the transports by type of webhook, and a function that closes them.
 * @param database address of the database: its server is never called
 * @param mail dependencies of mails other than their server
 */
export function createWebhookTransports(
  options: ReturnType<typeof readWebhookOptions>,
  database: string | undefined,
  mail: Omit<MailDependencies, 'from' | 'send'>,
): {
  readonly transports: Readonly<Record<string, Transport>>
  readonly call: MakeCall
  /** Undefined if `call` is replaced: then no host is contacted. */
  readonly checkHost: HostCheck | undefined
  close(): void
} {
  const { addresses, retryOn, ca, call, answerInProcess, smtp, from } = options
  const reached = { addresses, database: parseMailServer(database) }
  const http = createHttpCalls({ ca, ...reached })
  const make: MakeCall = call || (async (what) => answerInProcess?.(what) ?? http.call(what))
  const byMail = createMailTransport({
    ...mail,
    from,
    send: smtp === undefined ? undefined : createSmtpSender(smtp),
  })
  return {
    transports:
      call === false
        ? {}
        : { CustomHttp: createHttpTransport(make, retryOn), Email: byMail, receipt: byMail },
    call: make,
    checkHost: call === undefined ? createHostCheck(reached) : undefined,
    close: http.close,
  }
}
