import type { MailTexts } from './words.ts'

/** Texts of mails in English. */
export const en: MailTexts = {
  subject: {
    paid: 'Receipt for your payment',
    unpaid: 'The payment did not go through',
    open: 'The payment is pending',
    refunded: 'Refund',
    card: 'A card has been stored',
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
