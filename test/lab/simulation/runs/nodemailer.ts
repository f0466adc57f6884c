import { type MailSent, mailServer } from './machine.ts'

/** `nodemailer` as gateways of a world have it: what is sent goes to the world's mail server. */
export const createTransport = () => ({ sendMail: (mail: MailSent) => mailServer()(mail), close() {} })
