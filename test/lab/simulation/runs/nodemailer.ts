import { type MailSent, mailServer } from './machine.ts'

/** Replacement of `nodemailer` in a run: mails go to the run's mail server. */
export const createTransport = () => ({
  sendMail: (mail: MailSent) => mailServer()(mail),
  close() {},
})
