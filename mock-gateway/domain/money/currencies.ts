import { GatewayError } from '../errors/errors.ts'

/**
 * The service's currencies in the order of the specification, with their decimals in ISO 4217
 * (specification: Currencies). At most two decimals are used, even if ISO has three.
 */
export const DECIMALS = {
  sek: 2,
  cad: 2,
  cny: 2,
  cop: 2,
  czk: 2,
  dkk: 2,
  hkd: 2,
  huf: 2,
  isk: 0,
  inr: 2,
  ils: 2,
  jpy: 0,
  kes: 2,
  krw: 0,
  kwd: 3,
  lvl: 2,
  myr: 2,
  mxn: 2,
  mad: 2,
  omr: 3,
  nzd: 2,
  nok: 2,
  pab: 2,
  qar: 2,
  rub: 2,
  sar: 2,
  sgd: 2,
  zar: 2,
  chf: 2,
  thb: 2,
  ttd: 2,
  aed: 2,
  gbp: 2,
  usd: 2,
  twd: 2,
  vef: 2,
  ron: 2,
  try: 2,
  eur: 2,
  uah: 2,
  pln: 2,
  brl: 2,
} as const satisfies Record<string, 0 | 2 | 3>

/** A currency of the service, in lower case as in transactions. */
export type Currency = keyof typeof DECIMALS

export const isCurrency = (code: unknown): code is Currency =>
  typeof code === 'string' && Object.hasOwn(DECIMALS, code)

/**
 * Reads a currency code in upper, lower or mixed case.
 * @throws errors.currency.missing, errors.currency.invalid (not three letters a to z),
 *   errors.currency.unsupported
 */
export function readCurrency(text: string | undefined): Currency {
  if (text === undefined || text === '') {
    throw new GatewayError('errors.currency.missing', {
      explain: 'The currency is missing. Send a currency such as SEK.',
    })
  }
  if (!/^[A-Za-z]{3}$/.test(text)) {
    const explain = 'The currency must be a three-letter code of ISO 4217, such as SEK.'
    throw new GatewayError('errors.currency.invalid', { explain })
  }
  const code = text.toLowerCase()
  if (!isCurrency(code)) {
    const explain = `The currency ${code} is not supported. The supported currencies are ${Object.keys(DECIMALS).join(', ')}.`
    throw new GatewayError('errors.currency.unsupported', { explain })
  }
  return code
}
