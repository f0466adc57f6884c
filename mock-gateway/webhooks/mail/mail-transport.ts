import type { JsonObject } from '../../domain/json.ts'
import type { MailRow, NewMailRow } from '../../storage/tables/mails.ts'
import type { WebhookDeliveryRow } from '../../storage/tables/webhook-deliveries.ts'
import {
  createMissingReply,
  type DeliveryAttempt,
  type Reply,
  type Transport,
} from '../transport.ts'

import {
  composeFromTemplate,
  composeMail,
  findPayerAddress,
  type MailContent,
  writeHtml,
  writeText,
} from './compose.ts'
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
export const createMailTransport = (dependencies: MailDependencies): Transport => {
  /**
   * Uses the merchant's template, or the standard mail if there is none or it cannot be rendered.
   */
  async function composeContent(sending: DeliveryAttempt, body: JsonObject, letter: MailContent) {
    const builtIn = { subject: letter.subject, html: writeHtml(letter), text: writeText(letter) }
    const { delivery, merchant } = sending
    const templateId = merchant.settings.webhooks.find(
      ({ name }) => name === delivery.template,
    )?.template_id
    if (templateId == null) return { content: builtIn }
    try {
      return {
        content: composeFromTemplate(await dependencies.render(sending, templateId, body), letter),
      }
    } catch (error) {
      return {
        content: builtIn,
        remark: `Template ${templateId} was not used: ${(error as Error).message}`,
      }
    }
  }

  /** Sends a mail and returns the server's error; undefined after success, and without a server. */
  async function sendToServer(mail: Mail): Promise<string | undefined> {
    try {
      await dependencies.send?.(mail)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  const createMailRow = (
    mail: Mail,
    delivery: WebhookDeliveryRow,
    refusal: string | undefined,
  ) => ({
    merchant_id: delivery.merchant_id,
    delivery_id: delivery.id,
    message_id: mail.messageId,
    sender: mail.from,
    recipient: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    created_at: mail.date,
    status:
      refusal !== undefined
        ? ('refused' as const)
        : dependencies.send
          ? ('sent' as const)
          : ('kept' as const),
  })

  return async (sending) => {
    const { delivery, merchant } = sending
    const body = JSON.parse(delivery.body) as JsonObject
    const to = delivery.email ?? findPayerAddress(body)
    if (to === undefined)
      return failed(
        null,
        'The payment has no e-mail address of the payer in payment_details or metadata',
      )
    const letter = composeMail(delivery, body, merchant.name)
    const written = await composeContent(sending, body, letter)
    if (Object.values(written.content).some((text) => text.includes('\0')))
      return failed(
        null,
        'The mail contains the character NUL, for example as &#0;, which RFC 5322 forbids',
      )
    const messageId = `${delivery.message_id}@mondido.gateway`
    const mail: Mail = {
      messageId,
      date: dependencies.getMoment(merchant.id),
      from: dependencies.from,
      to,
      ...written.content,
    }
    const refusal = await sendToServer(mail)
    await dependencies.keep(createMailRow(mail, delivery, refusal))
    if (refusal !== undefined) return failed(mail.text, refusal)
    const reply: Reply = {
      code: 250,
      body: null,
      message: written.remark ?? OK,
      headers: null,
      error: null,
    }
    return { outcome: 'delivered', requestBody: mail.text, reply }
  }
}

/** Reads a stored mail. */
export const readMailRow = ({
  message_id,
  created_at,
  sender,
  recipient,
  subject,
  text,
  html,
}: MailRow): Mail => ({
  messageId: message_id,
  date: created_at,
  from: sender,
  to: recipient,
  subject,
  text,
  html,
})

const OK = 'Accepted'

const failed = (requestBody: string | null, error: string) =>
  ({ outcome: 'failed', requestBody, reply: createMissingReply(error) }) as const
