import { expect } from 'vitest'
import { CATALOGUE } from '../../../mock-gateway/domain/error-catalogue.ts'
import type { ProvokedError } from '../../../mock-gateway/web/docs/provocations.ts'
import { CALLS } from '../errors/provocations.ts'
import { row, type Section } from './rows.ts'

/** Errors that the gateway says by itself; `test/gateway/errors` looks at all of them, in both languages. */
export const ERRORS: Section = {
  title: 'Errors',
  rows: [
    row('a failed call answers HTTP 40x with name, code and description', async ({ get }) => {
      const { status, body } = await get('/v1/transactions/999999', { locale: 'en' })
      expect([status, body]).toEqual([
        404,
        { name: 'errors.transaction.not_found', code: 128, description: 'Transaction not found' },
      ])
    }),
    row('description is in the chosen locale', async ({ get }) => {
      expect((await get('/v1/transactions/999999', { locale: 'sv' })).body.description).toBe(
        'Transaktionen hittas inte',
      )
    }),
    ...CATALOGUE.filter(({ name }) => Object.hasOwn(CALLS, name)).map(({ code, name, http, en }) =>
      row(`${code} ${name}`, async ({ errors }) => {
        const { status, body } = await CALLS[name as ProvokedError](errors)
        // A payer gets a page that says it.
        const said = typeof body === 'string' ? expect.stringContaining(en) : { name, code, description: en }
        expect([status, body]).toEqual([http, said])
      }),
    ),
  ],
}
