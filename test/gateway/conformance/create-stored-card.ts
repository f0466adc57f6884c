import { expect } from 'vitest'
import type { Customer, StoredCard } from '../../../mock-gateway/contract/wire.ts'
import type { Fields } from '../../helpers/gateway.ts'
import { encrypt } from './encrypt.ts'
import { type HeldRow, row, type Section } from './rows.ts'
import { STORABLE, type World } from './world.ts'

const store = async ({ post }: World, over: Fields = {}) =>
  (await post<StoredCard>('/v1/stored_cards', { ...STORABLE, ...over })).body

const required =
  (name: keyof typeof STORABLE, code: number, answered: object): HeldRow['holds'] =>
  async (world) => {
    expect(await store(world, { [name]: undefined })).toMatchObject({ code })
    expect(await store(world)).toMatchObject(answered)
  }

export const CREATE_STORED_CARD: Section = {
  title: 'Create stored card',
  rows: [
    row('card_number: required', required('card_number', 118, { card_number: '411111******1111' })),
    row(
      'card_holder: required',
      required('card_holder', 122, { card_holder: STORABLE.card_holder }),
    ),
    row('card_cvv: required', required('card_cvv', 124, { status: 'active' })),
    row(
      'card_expiry: MMYY, required',
      required('card_expiry', 126, { expires: '2030-12-31T23:59:59Z' }),
    ),
    row('currency: required', required('currency', 116, { currency: 'SEK' })),
    row('card_type: required', required('card_type', 120, { card_type: 'VISA' })),
    row('card_type: VISA and so on; an unknown one is refused', async (world) => {
      expect(await store(world, { card_type: 'gold' })).toMatchObject({ code: 121 })
    }),
    row(
      'customer_ref: an existing customer gets the card, otherwise one is created',
      async (world) => {
        expect((await store(world, { customer_ref: 'c42' })).customer).toEqual({
          id: world.customer.id,
        })
        const { customer } = await store(world, { customer_ref: 'new here' })
        expect((await world.get<Customer>(`/v1/customers/${customer?.id}`)).body.ref).toBe(
          'new here',
        )
      },
    ),
    row(
      'customer_id: an existing customer gets the card, an unknown id is an error',
      async (world) => {
        const { id } = world.customer
        expect((await store(world, { customer_id: id })).customer).toEqual({ id })
        expect(await store(world, { customer_id: 999_999 })).toMatchObject({ code: 142 })
      },
    ),
    row('encrypted: names of encrypted parameters', async (world) => {
      const card_number = encrypt(STORABLE.card_number)
      expect(await store(world, { card_number, encrypted: 'card_number' })).toMatchObject({
        card_number: '411111******1111',
      })
    }),
    row('test: must be true when a test card number is used', async (world) => {
      expect(await store(world, { test: undefined })).toMatchObject({ code: 119 })
      expect(await store(world)).toMatchObject({ test: true })
    }),
  ],
}
