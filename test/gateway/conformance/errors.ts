import { expect } from 'vitest'
import { CATALOGUE } from '../../../mock-gateway/domain/error-catalogue.ts'
import { PROVOCATIONS } from '../errors/provocations.ts'
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
    ...CATALOGUE.filter(({ name }) => PROVOCATIONS[name]).map(({ code, name }) =>
      row(`${code} ${name}`, async ({ errors }) => {
        const [how, call] = PROVOCATIONS[name] ?? []
        const answer = await call?.(errors)
        const body = answer?.body
        expect({ how, status: String(answer?.status) }).toEqual({ how, status: expect.stringMatching(/^4\d\d$/) })
        if (typeof body !== 'string') expect(body).toMatchObject({ name, code })
      }),
    ),
  ],
}
