import type { MailTexts } from './words.ts'

/** Texts of mails in Swedish. */
export const sv: MailTexts = {
  subject: {
    paid: 'Kvitto på din betalning',
    unpaid: 'Betalningen gick inte igenom',
    open: 'Betalningen är inte klar ännu',
    refunded: 'Återbetalning',
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
  simulated: 'Simulerad betaltjänst: inga pengar har flyttats.',
}
