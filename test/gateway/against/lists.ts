import fc from 'fast-check'
import type { Request } from '../abuse/fuzz-requests.ts'
import { EXTEND, LISTS } from '../abuse/test-data.ts'
import { STORED_CARD_KINDS, TRANSACTION_KINDS } from '../listing/fixture.ts'
import type { Kinds } from '../listing/oracle.ts'
import { valuesOf } from '../listing/queries.ts'

/** Fields that every list can be filtered by. */
const COMMON_KINDS: Kinds = { id: 'number', created_at: 'date', updated_at: 'date' }

/** Fields with known kinds of filters. */
const KINDS: Readonly<Partial<Record<string, Kinds>>> = {
  [LISTS.transaction]: TRANSACTION_KINDS,
  [LISTS.stored_card]: STORED_CARD_KINDS,
}

type Pairs = readonly (readonly [name: string, value: string])[]

const filterOf = (kinds: Kinds) =>
  fc
    .constantFrom(...Object.entries(kinds))
    .chain(([field, kind]) =>
      fc.constantFrom(...valuesOf(kind)).map((value): Pairs[number] => [`filter[${field}]`, value]),
    )

const pagingOf = (kinds: Kinds): fc.Arbitrary<Pairs> => {
  const order = fc.tuple(
    fc.constantFrom(...Object.keys(kinds)),
    fc.constantFrom('', ':asc', ':desc'),
  )
  const paging: Readonly<Record<string, fc.Arbitrary<string>>> = {
    limit: fc.integer({ min: 0, max: 12 }).map(String),
    offset: fc.integer({ min: 0, max: 5 }).map(String),
    start_id: fc.integer({ min: 1, max: 9 }).map(String),
    order_by: order.map((both) => both.join('')),
    extend: fc.subarray(EXTEND.split(',')).map(String),
  }
  return fc
    .subarray(Object.entries(paging), { maxLength: 3 })
    .chain((chosen) =>
      fc.tuple(...chosen.map(([name, value]) => value.map((text): Pairs[number] => [name, text]))),
    )
}

/** Generator of list calls of every kind, with up to three filters, any order and any page. */
export const listRequests: fc.Arbitrary<Request> = fc
  .constantFrom(...Object.values(LISTS))
  .chain((list) => {
    const kinds = KINDS[list] ?? COMMON_KINDS
    return fc.tuple(fc.array(filterOf(kinds), { maxLength: 3 }), pagingOf(kinds)).map(
      ([filters, paging]): Request => ({
        method: 'GET',
        address: `${list}?${new URLSearchParams([...filters, ...paging].map(([name, value]) => [name, value]))}`,
        body: null,
        type: '',
        login: 'own',
      }),
    )
  })
