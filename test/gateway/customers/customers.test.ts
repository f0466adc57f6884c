import { describe, expect, test } from 'vitest'
import type { ApiError, Customer } from '../../../mock-gateway/contract/wire.ts'
import type { Fields } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

type CustomerOrError = Customer & ApiError

const shop = await sharedGateway()

const create = async (fields?: Fields) =>
  (await shop.post<CustomerOrError>('/v1/customers', fields)).body
const read = async (id: number) => (await shop.get<CustomerOrError>(`/v1/customers/${id}`)).body
const change = async (id: number, fields: Fields) =>
  (await shop.put<CustomerOrError>(`/v1/customers/${id}`, fields)).body
const remove = (id: number) => shop.send<CustomerOrError>('DELETE', `/v1/customers/${id}`)

describe('a customer', () => {
  for (const [what, fields, code] of [
    ['a ref of 256 characters', { ref: '😀'.repeat(256) }, 165],
    ['a ref with a line break', { ref: 'a\nb' }, 165],
    ['metadata that are a list', { metadata: '[1]' }, 2091],
    ['metadata that are not JSON', { metadata: '{' }, 149],
  ] as const)
    test(`is rejected with ${what}, when created and when changed: error ${code}`, async () => {
      const known = await create()
      expect(await create(fields)).toMatchObject({ code })
      expect(await change(known.id, fields)).toMatchObject({ code })
      expect(await read(known.id)).toEqual(known)
    })
})

test('an update merges metadata into the existing metadata, and keeps the ref', async () => {
  const before = await create({ ref: 'm1', metadata: '{"a":{"b":1,"c":[1,2]},"d":1}' })
  const merged = { ...before, metadata: { a: { b: 2, c: [3] }, d: 1, e: null } }
  expect(await change(before.id, { metadata: '{"a":{"b":2,"c":[3]},"e":null}' })).toEqual(merged)
  expect(await read(before.id)).toEqual(merged)
})

test('a deleted customer frees its ref for another customer', async () => {
  const first = await create({ ref: 'again' })
  await remove(first.id)
  const second = await create({ ref: 'again' })
  expect(second.ref).toBe('again')
  expect(second.id).not.toBe(first.id)
})
