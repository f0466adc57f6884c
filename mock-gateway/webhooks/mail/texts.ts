import type { TransactionStatus } from '../../contract/wire.ts'
import type { Locale } from '../../domain/language/languages.ts'

/** Event of a mail. */
export type MailOccasion = 'paid' | 'reserved' | 'unpaid' | 'open' | 'refunded' | 'card' | 'alert'

/** Texts of mails. */
export interface MailTexts {
  /** Subjects of receipts, which go to the payer. */
  readonly payer: Readonly<Record<MailOccasion, string>>
  /** Subjects of e-mail webhooks and alerts, which go to the merchant. */
  readonly merchant: Readonly<Record<MailOccasion, string>>
  readonly label: Readonly<
    Record<
      'order' | 'amount' | 'status' | 'card' | 'refund' | 'reason' | 'date' | 'error' | 'expires',
      string
    >
  >
  /** An invoice is authorized, too, but reserves no money. */
  readonly status: Readonly<Record<TransactionStatus | 'invoice', string>>
  /** At the end of every mail: no money was moved. */
  readonly simulated: string
}

/** Texts of mails in Swedish. */
const sv: MailTexts = {
  payer: {
    paid: 'Kvitto på din betalning',
    reserved: 'Ditt köp är klart',
    unpaid: 'Din betalning gick inte igenom',
    open: 'Din betalning är inte klar ännu',
    refunded: 'Din återbetalning',
    card: 'Ditt kort har sparats',
    alert: 'En webhook misslyckades',
  },
  merchant: {
    paid: 'En betalare har betalat',
    reserved: 'En betalning är godkänd',
    unpaid: 'En betalning gick inte igenom',
    open: 'En betalning är inte klar ännu',
    refunded: 'En betalning har återbetalats',
    card: 'Ett kort har sparats',
    alert: 'En webhook misslyckades',
  },
  label: {
    order: 'Beställning',
    amount: 'Belopp',
    status: 'Status',
    card: 'Kort',
    refund: 'Återbetalt',
    reason: 'Anledning',
    date: 'Datum',
    error: 'Fel',
    expires: 'Giltigt till',
  },
  status: {
    pending: 'Inte betald ännu',
    '3ds pending': 'Väntar på banken',
    authorized: 'Beloppet är reserverat',
    invoice: 'Betalas med faktura',
    'capture pending': 'Väntar på banken',
    approved: 'Betald',
    declined: 'Nekad',
    failed: 'Misslyckad',
  },
  simulated: 'Simulerad betaltjänst: inga pengar har flyttats.',
}

/** Texts of mails in English. */
const en: MailTexts = {
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

/** Texts of mails by language; the merchant's name follows a subject. */
export const TEXTS: Readonly<Record<Locale, MailTexts>> = { sv, en }
