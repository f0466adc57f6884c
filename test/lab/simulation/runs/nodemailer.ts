import { type MailSent, mailServer } from './machine.ts'

/** Replaces `nodemailer` in a run: mails are sent to the run's mail server. */
export const createTransport = () => ({
  sendMail: (mail: MailSent) => mailServer()(mail),
  close() {},
})
