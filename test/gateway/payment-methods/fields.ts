import { type Fields, prepared } from '../../helpers/gateway.ts'

/** Payer with a valid personal number that is not a test person of the gateway. */
export const PAYER = {
  personal_number: '191212121212',
  first_name: 'Anna',
  last_name: 'Andersson',
  address_1: 'Storgatan 1',
  zip: '12345',
  city: 'Storstad',
  country_code: 'SWE',
}

export const ITEM = { artno: '001', description: 'Cup', amount: '10.00', qty: '1', vat: '25' }

/** Changes to `PAYER` in payment_details; undefined omits a field. */
export type PayerFields = Readonly<Record<string, string | undefined>>

/**
 * Returns an invoice of 10.00 SEK in test mode that is processed immediately, with all required
 * fields of the payer.
 */
export const invoice = (payer: PayerFields = {}, over: Fields = {}): Fields =>
  prepared({
    process: true,
    payment_method: 'invoice',
    items: JSON.stringify([ITEM]),
    payment_details: JSON.stringify({ ...PAYER, ...payer }),
    ...over,
  })

/**
 * Returns an invoice like `invoice` that is only prepared, so that the payer completes it on the
 * page.
 */
export const preparedInvoice = (payer: PayerFields = {}, over: Fields = {}): Fields =>
  invoice(payer, { process: false, ...over })
