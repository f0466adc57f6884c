import { createHash } from 'node:crypto'
import type { MailRow } from '../../storage/tables/notifications.ts'

/** A mail to send: the columns that decide its bytes. */
export type Mail = Pick<
  MailRow,
  'message_id' | 'created_at' | 'sender' | 'recipient' | 'subject' | 'text' | 'html'
>

/** Sends a mail to a server. @throws the server's error */
export type SendMail = (mail: Mail) => Promise<void>

/** Returns everything that decides a mail's bytes, so that the file is reproducible. */
const createMailFields = ({ message_id, created_at, sender, recipient, ...content }: Mail) => ({
  messageId: `<${message_id}>`,
  date: new Date(created_at),
  // Derived from the parts that it separates, so that it is absent from them.
  baseBoundary: createHash('sha256')
    .update(JSON.stringify([message_id, content.text, content.html]))
    .digest('hex')
    .slice(0, 32),
  from: sender,
  to: recipient,
  subject: content.subject,
  text: content.text,
  html: content.html,
  // Text in a mail is never treated as a file or an address to fetch.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Milliseconds for each step of SMTP, and for the whole mail. */
const STEP_MS = 10_000

/**
 * Sends by SMTP; loads the package with the first mail.
 * @param url such as `smtp://localhost:1025` or `smtps://user:password@mail.example`
 */
export function createSmtpSender(url: string): SendMail {
  return async (mail) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
    } as Parameters<typeof createTransport>[0])
    try {
      await transport.sendMail(createMailFields(mail))
    } finally {
      transport.close()
    }
  }
}

/** Formats a mail as an .eml file, with the same bytes that a server receives. */
export async function writeEml(mail: Mail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const { message } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail(createMailFields(mail))
  return message as Buffer
}
