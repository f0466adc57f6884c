import { z } from 'zod'
import { readId } from '../domain/identifiers.ts'
import { formatWireTime } from '../serializers/time.ts'
import { findOne } from '../storage/rows.ts'
import type { MailRow } from '../storage/tables/notifications.ts'
import { writeEml } from '../webhooks/mail/mail.ts'
import { FileAnswer, findNewest, notThere, operation, type Subject } from './operation.ts'
import { time, wholeNumber } from './shapes.ts'

const mail = z
  .object({
    id: z.int(),
    merchant_id: z.int(),
    delivery_id: z.int(),
    message_id: z.string(),
    from: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    status: z.enum(['kept', 'sent', 'refused']).describe('kept if no SMTP server is configured.'),
    created_at: time,
  })
  .meta({ id: 'Mail' })

const presentMail = ({ sender, recipient, created_at, ...row }: MailRow) => ({
  ...row,
  from: sender,
  to: recipient,
  created_at: formatWireTime(created_at),
})

export const MAILS: Subject = {
  title: 'Mails',
  about: 'All mails, whether sent or only stored.',
  operations: [
    operation({
      name: 'mails.list',
      route: 'GET /mails',
      does: 'Lists the newest mails',
      input: z.object({ limit: wholeNumber(1, 100).default(100) }),
      output: z.object({ mails: z.array(mail) }),
      run: async (sandbox, part) => ({
        mails: (await findNewest(sandbox, 'mails', part)).map(presentMail),
      }),
    }),
    operation({
      name: 'mails.show',
      route: 'GET /mails/:name',
      does: 'Shows a mail, or returns it as a file',
      input: z.object({
        name: z.string().describe('Id of a mail; add .eml to download it as a file.'),
      }),
      output: mail,
      file: 'message/rfc822',
      async run({ database, merchantId }, { name }) {
        const [, written = '', asFile] = /^(\d+)(\.eml)?$/.exec(name) ?? []
        const id = readId(written)
        const row = id === undefined ? undefined : await findOne(database.db, 'mails', { id })
        if (!row || row.merchant_id !== (merchantId ?? row.merchant_id))
          throw notThere('The merchant has no mail with this id.')
        if (!asFile) return presentMail(row)
        return new FileAnswer('message/rfc822', await writeEml(row), `mail-${row.id}.eml`)
      },
    }),
  ],
}
