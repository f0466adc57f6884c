import { expect, test } from 'vitest'
import { createEntry, listDetails } from '../../../mock-gateway/serializers/story/entries.ts'
import { createStatusEntry } from '../../../mock-gateway/serializers/story/events.ts'
import { cleanStory } from '../../../mock-gateway/serializers/story/read-story.ts'

const event = (data: Readonly<Record<string, string>>) =>
  ({ id: 1, transaction_id: 1, event_type: 'payment', created_at: 5, data }) as const

test('a decline has the texts of the catalogue and the API', () => {
  const told = createStatusEntry(
    event({ event: 'charged', status: 'declined', error: 'errors.payment.declined' }),
    'CVV 201',
    'sek',
  )
  expect(told).toMatchObject({ at: 5, kind: 'bank', title: 'Declined by the bank', tone: 'bad' })
  expect(told.arrow).toEqual({
    ...{ from: 'gateway', to: 'bank', label: 'Requests the payment' },
    result: 'declined, error 129',
  })
  expect(told.says).toBe('Error 129, errors.payment.declined: Payment declined. CVV 201')
})

test('an entry without a row in the table is shown with its name', () => {
  expect(
    createStatusEntry(event({ event: 'new_event', by: 'merchant' }), null, 'sek'),
  ).toMatchObject({ title: 'new event', says: null, details: [{ name: 'by', text: 'merchant' }] })
})

test('a story contains no secret, card number or login, in any field', () => {
  const story = {
    id: 1,
    payment_ref: 'a-secret"quoted',
    amount: '10.00',
    currency: 'SEK',
    status: 'approved',
    next: [],
    findings: [],
    names: { payer: '', shop: '', gateway: '', bank: '' },
    entries: [
      {
        ...createEntry(
          1,
          'webhook',
          'POST https://u:p@shop.example/?card=4111111111111111',
          'good',
        ),
        details: listDetails({ 4111111111111111: 'x', body: { deep: ['secret"quoted'] } }),
      },
    ],
  } as const
  const text = JSON.stringify(cleanStory(story, ['secret"quoted', undefined]))
  expect(text).not.toMatch(/quoted|4111111111111111|u:p@/)
  expect(text).toContain('https://***@shop.example/?card=411111******1111')
})
