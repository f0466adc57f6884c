import { OptionError } from '../domain/options.ts'
import { isMailAddress } from '../domain/webhook/request.ts'
import { ADDRESS_PROFILES, type AddressProfile } from './addresses.ts'
import { type CheckHost, createHostCheck } from './host-check.ts'
import { httpCalls, type MakeCall } from './http-call.ts'
import { httpTransport } from './http-transport.ts'
import { smtpSender } from './mail/mail.ts'
import { type MailDependencies, mailTransport } from './mail/mail-transport.ts'
import { RETRY_ON, type RetryOn } from './reply.ts'
import type { Transport } from './transport.ts'

/** How webhooks are sent. Everything may be left out. */
export interface WebhookOptions {
  /**
   * PEM of an authority that targets may have their certificates from, besides those that Node
   * comes with.
   */
  readonly ca?: string | undefined
  /** Which addresses may be called. Default: `local`. */
  readonly addresses?: AddressProfile | undefined
  /** Which answers are tried again. Default: `500`, nothing else. */
  readonly retryOn?: RetryOn | undefined
  /**
   * Address of the SMTP server that takes mails, such as smtp://localhost:1025. Default: mails are
   * only kept.
   */
  readonly smtp?: string | undefined
  /** Whom mails are from. */
  readonly from?: string | undefined
  /** Calls targets instead of HTTP. False: nothing is sent, and everything is kept until it is. */
  readonly call?: MakeCall | false | undefined
}

/** @throws OptionError */
export function readWebhookOptions(given: WebhookOptions = {}) {
  const { addresses = 'local', retryOn = '500', ca, call, smtp, from = DEFAULT_FROM } = given
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
  return { addresses, retryOn, ca, call, smtp, from }
}

const DEFAULT_FROM = 'gateway@mondido.local'

/** Where a database listens; undefined for a file, and for one that has no port. */
function serverOf(database = ''): { readonly host: string; readonly port: number } | undefined {
  const url = URL.parse(database)
  if (!url || !/^postgres/.test(url.protocol) || url.hostname === '') return undefined
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 5432) }
}

/**
 * What sends webhooks, by their type, and how it ends.
 * @param database where the data are: its server is never called
 * @param mail what mails need besides their server
 */
export function webhookTransports(
  { addresses, retryOn, ca, call, smtp, from }: ReturnType<typeof readWebhookOptions>,
  database: string | undefined,
  mail: Omit<MailDependencies, 'from' | 'send'>,
): {
  readonly transports: Readonly<Record<string, Transport>>
  readonly call: MakeCall
  /** Undefined if another `call` is given: then no host is reached. */
  readonly checkHost: CheckHost | undefined
  close(): void
} {
  const reached = { addresses, database: serverOf(database) }
  const http = httpCalls({ ca, ...reached })
  const make = call || http.call
  const byMail = mailTransport({
    ...mail,
    from,
    send: smtp === undefined ? undefined : smtpSender(smtp),
  })
  return {
    transports:
      call === false
        ? {}
        : { CustomHttp: httpTransport(make, retryOn), Email: byMail, receipt: byMail },
    call: make,
    checkHost: call === undefined ? createHostCheck(reached) : undefined,
    close: http.close,
  }
}
