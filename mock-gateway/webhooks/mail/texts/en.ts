import type { MailTexts } from './words.ts'

/** Texts of mails in English. */
export const en: MailTexts = {
  subject: {
    paid: 'Receipt for your payment',
    unpaid: 'Your payment did not go through',
    open: 'Your payment is not complete yet',
    refunded: 'Your refund',
    card: 'Your card has been saved',
    alert: 'A webhook failed',
  },
  label: {
    order: 'Order',
    amount: 'Amount',
    status: 'Status',
    card: 'Card',
    refund: 'Refunded',
    reason: 'Reason',
    date: 'Date',
    error: 'Error',
    expires: 'Expires',
  },
  simulated: 'Simulated payment service: no money has moved.',
}
