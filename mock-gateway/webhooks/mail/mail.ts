import { createHash } from 'node:crypto'

/** A mail, before anybody has sent it. */
export interface Mail {
  /** Without angle brackets. */
  readonly messageId: string
  /** Epoch milliseconds, by the clock of its merchant. */
  readonly date: number
  readonly from: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands a mail to a server. @throws what the server says against it */
export type SendMail = (mail: Mail) => Promise<void>

/**
 * Between the parts of a mail: the same whenever it is written, and nothing that a part can hold.
 */
const boundaryOf = (...written: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 32)

/** All that makes a mail's bytes: it is the same file whenever it is written. */
const fieldsOf = ({ messageId, date, from, to, subject, text, html }: Mail) => ({
  messageId: `<${messageId}>`,
  date: new Date(date),
  baseBoundary: boundaryOf(messageId, text, html),
  from,
  to,
  subject,
  text,
  html,
  // What stands in a mail is never a file or an address to fetch.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Milliseconds that an SMTP server has for each step, and for the whole. */
const STEP_MS = 10_000

/**
 * Sends by SMTP; the package that can is loaded with the first mail.
 * @param url such as `smtp://localhost:1025` or `smtps://user:password@mail.example`
 */
export function smtpSender(url: string): SendMail {
  return async (mail) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
    } as Parameters<typeof createTransport>[0])
    try {
      await transport.sendMail(fieldsOf(mail))
    } finally {
      transport.close()
    }
  }
}

/** The mail as an .eml file, byte for byte as a server gets it. */
export async function emlOf(mail: Mail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const { message } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail(fieldsOf(mail))
  return message as Buffer
}
