import type { MailTexts } from './words.ts'

/** Texts of mails in Swedish. */
export const sv: MailTexts = {
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
