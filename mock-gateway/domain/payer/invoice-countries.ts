/**
 * Countries whose payers can buy on invoice (specification: Test-mode behavior), in ISO 3166
 * alpha-3.
 */
export type InvoiceCountry = (typeof INVOICE_COUNTRIES)[number]

export const INVOICE_COUNTRIES = ['SWE', 'NOR', 'FIN'] as const

/**
 * Alpha-2 and alpha-3 codes: clients send alpha-3 (observed: 2.3), a checkout may only know alpha-2
 * (our decision).
 */
const COUNTRIES: ReadonlyMap<string, InvoiceCountry> = new Map([
  ['SWE', 'SWE'],
  ['NOR', 'NOR'],
  ['FIN', 'FIN'],
  ['SE', 'SWE'],
  ['NO', 'NOR'],
  ['FI', 'FIN'],
])

/** Returns the country of a code in any case; undefined if invoices are not offered there. */
export const invoiceCountry = (code: string): InvoiceCountry | undefined =>
  COUNTRIES.get(code.toUpperCase())

/** Returns true for two or three letters, which may be a country code. */
export const looksLikeCountry = (code: string): boolean => /^[a-z]{2,3}$/i.test(code)
