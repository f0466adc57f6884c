import type { MailTexts } from './words.ts'

/** Texts of mails in English. */
export const en: MailTexts = {
  payer: {
    paid: 'Receipt for your payment',
    reserved: 'Your purchase is complete',
    unpaid: 'Your payment did not go through',
    open: 'Your payment is not complete yet',
    refunded: 'Your refund',
    card: 'Your card has been saved',
    alert: 'A webhook failed',
  },
  merchant: {
    paid: 'A payer has paid',
    reserved: 'A payment is authorized',
    unpaid: 'A payment did not go through',
    open: 'A payment is not complete yet',
    refunded: 'A payment was refunded',
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
  status: {
    pending: 'Not paid yet',
    '3ds pending': 'Waiting for the bank',
    authorized: 'Amount reserved',
    invoice: 'To be paid by invoice',
    'capture pending': 'Waiting for the bank',
    approved: 'Paid',
    declined: 'Declined',
    failed: 'Failed',
  },
  simulated: 'Simulated payment service: no money has moved.',
}
