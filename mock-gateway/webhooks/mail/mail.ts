import { createHash } from 'node:crypto'

/** A mail to send. */
export interface Mail {
  /** Without angle brackets. */
  readonly messageId: string
  /** Epoch milliseconds by the merchant's clock. */
  readonly date: number
  readonly from: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends a mail to a server. @throws the server's error */
export type SendMail = (mail: Mail) => Promise<void>

/**
 * Derives the boundary between parts from their contents: reproducible, and absent from every part.
 */
const createBoundary = (...written: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, 32)

/** Returns everything that decides a mail's bytes, so that the file is reproducible. */
const createMailFields = ({ messageId, date, from, to, subject, text, html }: Mail) => ({
  messageId: `<${messageId}>`,
  date: new Date(date),
  baseBoundary: createBoundary(messageId, text, html),
  from,
  to,
  subject,
  text,
  html,
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
