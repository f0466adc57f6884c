import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** SMTP server that stores its mails. */
export interface Mailbox {
  readonly url: string
  /** Each received mail with its envelope, headers and parts. */
  readonly mails: readonly { readonly to: readonly string[]; readonly raw: string }[]
  close(): Promise<void>
}

/**
 * Opens a mailbox.
 * @param refuse recipient whose mails are rejected
 */
export async function openMailbox(refuse?: string): Promise<Mailbox> {
  const mails: { to: string[]; raw: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      done(address === refuse ? new Error('No such mailbox') : null)
    },
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      mails.push({
        to: envelope.rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString('utf8'),
      })
      done()
    },
  })
  const { server: listener } = server
  server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
