import type { CatalogueRow } from './row.ts'

/** Storing a card and paying with its token (codes 400, 4001, 4002). */
// biome-ignore format: three lines a row: what it is, English, Swedish
export const STORED_CARD_ERRORS = [
  { code: 400, name: 'errors.stored_card.expires.missing', http: 400,
    en: 'Expiry date of the stored card is missing',
    sv: 'Det sparade kortets utgångsdatum saknas' },
  { code: 4001, name: 'errors.stored_card.store.declined', http: 400,
    en: 'Card was declined and has not been stored',
    sv: 'Kortet nekades och har inte sparats' },
  { code: 4002, name: 'errors.stored_card.token.invalid', http: 400,
    en: 'Stored card token is not valid',
    sv: 'Det sparade kortets token är ogiltig' },
] as const satisfies readonly CatalogueRow[]
