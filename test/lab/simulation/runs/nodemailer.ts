import { type MailSent, mailServer } from './machine.ts'

/** `nodemailer` as gateways of a run have it: what is sent goes to the run's mail server. */
export const createTransport = () => ({
  sendMail: (mail: MailSent) => mailServer()(mail),
  close() {},
})
