import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createAddedColumns } from '../../../mock-gateway/storage/migrations/tables.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import {
  addedBy,
  amount,
  createCodec,
  emptyRow,
  filledIn,
  flag,
  id,
  json,
  nullable,
  text,
} from '../../../mock-gateway/storage/tables/columns.ts'
import { OWN_DATABASES, openTestDatabase, openTestPlace } from './databases.ts'
import { customerRow, newMerchant } from './new-rows.ts'

const gifts = {
  id: filledIn(id()),
  paid: flag(),
  price: nullable(amount()),
  wishes: json<readonly string[]>(),
  note: addedBy('0007-note', nullable(text())),
  color: addedBy('0007-note', nullable(text())),
  tip: addedBy('0008-tip', nullable(amount())),
}

test('an empty row has null in every nullable column, and no other column', () =>
  expect(emptyRow(gifts)).toEqual({ price: null, note: null, color: null, tip: null }))

test('the codec stores flags as numbers, JSON as text, and other values unchanged', () => {
  const codec = createCodec(gifts)
  const row = {
    id: 1,
    paid: true,
    price: null,
    wishes: ['cup'],
    note: null,
    color: 'red',
    tip: null,
  }
  const stored = { ...row, paid: 1, wishes: '["cup"]' }
  expect(codec.encode(row)).toEqual(stored)
  expect(codec.decode(stored as never)).toEqual(row)
})

test('added columns become migrations, one for each name', () =>
  expect(Object.keys(createAddedColumns({ gifts }))).toEqual(['0007-note', '0008-tip']))

describe.each(OWN_DATABASES)('%s', (_name, open) => {
  test('an added column is null in existing rows', async () => {
    const { db, dialect } = await openTestDatabase(await openTestPlace(open))
    const note = addedBy('0007-note', nullable(text()))
    const migration = createAddedColumns({ customers: { note } })['0007-note']
    await insertRow(db, 'customers', customerRow(await newMerchant(db)))
    for (const statement of migration?.(dialect) ?? []) await sql.raw(statement).execute(db)
    const { rows } = await sql`select distinct note from customers`.execute(db)
    expect(rows).toEqual([{ note: null }])
  })
})
