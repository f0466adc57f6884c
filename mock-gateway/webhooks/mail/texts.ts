import type { Locale } from '../../domain/errors/errors.ts'

/** What a mail is about. */
export type Occasion = 'paid' | 'unpaid' | 'open' | 'refunded' | 'card' | 'alert'

interface Texts {
  readonly subject: Readonly<Record<Occasion, string>>
  readonly label: Readonly<
    Record<'order' | 'amount' | 'status' | 'card' | 'refund' | 'reason' | 'date' | 'error' | 'expires', string>
  >
  /** Under every mail, so that nobody takes it for money. */
  readonly simulated: string
}

/** What mails say; the merchant's name follows a subject. */
export const TEXTS: Readonly<Record<Locale, Texts>> = {
  sv: {
    subject: {
      paid: 'Kvitto på din betalning',
      unpaid: 'Betalningen gick inte igenom',
      open: 'Betalningen väntar',
      refunded: 'Återbetalning',
      card: 'Ett kort har sparats',
      alert: 'En webhook togs inte emot',
    },
    label: {
      order: 'Order',
      amount: 'Belopp',
      status: 'Status',
      card: 'Kort',
      refund: 'Återbetalt',
      reason: 'Anledning',
      date: 'Datum',
      error: 'Fel',
      expires: 'Giltigt till',
    },
    simulated: 'Simulerad betaltjänst: inga pengar har flyttats.',
  },
  en: {
    subject: {
      paid: 'Receipt for your payment',
      unpaid: 'The payment did not go through',
      open: 'The payment is waiting',
      refunded: 'Refund',
      card: 'A card has been stored',
      alert: 'A webhook was not taken',
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
  },
}
