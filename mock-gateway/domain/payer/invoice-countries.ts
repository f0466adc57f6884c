/**
 * Countries whose payers can buy on invoice (specification: Test-mode behavior), in ISO 3166
 * alpha-3.
 */
export type InvoiceCountry = (typeof INVOICE_COUNTRIES)[number]

export const INVOICE_COUNTRIES = ['SWE', 'NOR', 'FIN'] as const

/**
 * Both lengths of the code: clients send alpha-3 (observed: 2.3), a checkout may know alpha-2 only
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

/** The country behind a code in any case; undefined when invoices are not offered there. */
export const invoiceCountry = (code: string): InvoiceCountry | undefined =>
  COUNTRIES.get(code.toUpperCase())

/** True for two or three letters: what may be the code of a country, offered or not. */
export const looksLikeCountry = (code: string): boolean => /^[a-z]{2,3}$/i.test(code)
