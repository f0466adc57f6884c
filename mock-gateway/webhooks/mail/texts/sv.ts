import type { MailTexts } from './words.ts'

/** Texts of mails in Swedish. */
export const sv: MailTexts = {
  subject: {
    paid: 'Kvitto på din betalning',
    unpaid: 'Din betalning gick inte igenom',
    open: 'Din betalning är inte klar ännu',
    refunded: 'Din återbetalning',
    card: 'Ditt kort har sparats',
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
