import type { JsonObject } from '../../domain/json.ts'
import type { NewMailRow } from '../../storage/tables/notifications.ts'
import { createMissingReply, type DeliveryAttempt, type Transport } from '../transport.ts'
import { composeFromTemplate, composeMail, findPayerAddress, type MailContent } from './compose.ts'
import type { Mail, SendMail } from './mail.ts'

export interface MailDependencies {
  readonly from: string
  /** Undefined: there is no server, and mails are only stored. */
  readonly send: SendMail | undefined
  /** Returns epoch milliseconds by a merchant's clock. */
  getMoment(merchantId: number): number
  keep(row: NewMailRow): Promise<void>
  /**
   * Renders the merchant's mail template for an event.
   * @throws Error with one sentence for the merchant if the template does not exist or cannot be
   *   rendered
   */
  render(sending: DeliveryAttempt, templateId: number, body: JsonObject): Promise<string>
}

/**
 * Sends deliveries by mail (specification: E-mail webhooks, receipts): type Email to its address,
 * type receipt to the payer unless it has an address. A rejected mail is reported immediately: SMTP
 * has its own retries.
 */
export const createMailTransport =
  (dependencies: MailDependencies): Transport =>
  async (sending) => {
    const { getMoment, from, send, keep } = dependencies
    const { delivery, merchant } = sending
    const body = JSON.parse(delivery.body) as JsonObject
    const recipient = delivery.email ?? findPayerAddress(body)
    if (recipient === undefined)
      return failed(
        null,
        'The payment has no e-mail address of the payer in payment_details or metadata',
      )
    const { remark = 'Accepted', ...content } = await composeContent(dependencies, sending, body)
    if (Object.values(content).some((text) => text.includes('\0')))
      return failed(
        null,
        'The mail contains the character NUL, for example as &#0;, which RFC 5322 forbids',
      )
    const mail: Mail = {
      message_id: `${delivery.message_id}@mondido.gateway`,
      sender: from,
      recipient,
      ...content,
      created_at: getMoment(merchant.id),
    }
    const refusal = await send?.(mail).then(
      () => undefined,
      ({ message }: Error) => message,
    )
    const status = refusal === undefined ? (send ? 'sent' : 'kept') : 'refused'
    await keep({ merchant_id: merchant.id, delivery_id: delivery.id, ...mail, status })
    if (refusal !== undefined) return failed(mail.text, refusal)
    const reply = { ...createMissingReply(null), code: 250, message: remark }
    return { outcome: 'delivered', requestBody: mail.text, reply }
  }

/** Uses the merchant's template, or the standard mail if there is none or it cannot be rendered. */
async function composeContent(
  { render }: MailDependencies,
  sending: DeliveryAttempt,
  body: JsonObject,
): Promise<MailContent & { readonly remark?: string }> {
  const { delivery, merchant } = sending
  const usual = composeMail(delivery, body, merchant.name)
  const { template_id: id } =
    merchant.settings.webhooks.find(({ name }) => name === delivery.template) ?? {}
  if (id == null) return usual
  try {
    return composeFromTemplate(await render(sending, id, body), usual.subject)
  } catch (error) {
    return { ...usual, remark: `Template ${id} was not used: ${(error as Error).message}` }
  }
}

const failed = (requestBody: string | null, error: string) =>
  ({ outcome: 'failed', requestBody, reply: createMissingReply(error) }) as const
