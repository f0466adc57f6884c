import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertCustomer } from '../../../mock-gateway/storage/customers.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { addedColumns } from '../../../mock-gateway/storage/migrations/added-columns.ts'
import {
  addedBy,
  amount,
  codecOf,
  declarationOf,
  emptyRow,
  filledIn,
  flag,
  id,
  json,
  nullable,
  text,
} from '../../../mock-gateway/storage/tables/columns.ts'
import { COLUMNS } from '../../../mock-gateway/storage/tables/schema.ts'
import { OWN_DATABASES, onEveryDatabase } from './databases.ts'
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
  const codec = codecOf(gifts)
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

test('added columns become migrations, one for each name, also for the rows of snapshots', () =>
  expect(Object.keys(addedColumns({ gifts }))).toEqual(['0007-note', '0008-tip']))

describe.each(OWN_DATABASES)('%s', (_name, open) => {
  test('an added column is null in existing rows, and its removal leaves them', async () => {
    const { target, remove } = await open()
    const { db, close } = await openDatabase(target)
    const note = addedBy('0007-note', nullable(text()))
    const migration = addedColumns({ customers: { note } })['0007-note']?.()
    const columnsOf = async (table: string) =>
      (await db.introspection.getTables())
        .find(({ name }) => name === table)
        ?.columns.map(({ name }) => name)
    const before = await columnsOf('customers')
    await insertCustomer(db, customerRow(await newMerchant(db)))
    await migration?.up(db)
    expect(await columnsOf('snapshot_customers')).toContain('note')
    const { rows } = await sql`select distinct note from customers`.execute(db)
    expect(rows).toEqual([{ note: null }])
    await migration?.down?.(db)
    expect(await columnsOf('customers')).toEqual(before)
    await close()
    await remove()
  })
})

onEveryDatabase((database) => {
  test.each(Object.entries(COLUMNS))(
    'the table %s has exactly the columns of its description',
    async (table, columns) => {
      const { db, dialect } = database()
      const tables = await db.introspection.getTables()
      const found = tables.find(({ name }) => name === table)?.columns ?? []
      const declared = found.map(({ name, dataType, isNullable }) => {
        const type = dataType.toLowerCase().replace('int8', 'bigint').replace('int4', 'integer')
        // The key of an SQLite table is an integer of 64 bits, and has no further type.
        return name === 'id' ? 'id' : `${name} ${type}${isNullable ? '' : ' not null'}`
      })
      const described = Object.entries(columns).map(([name, column]) =>
        name === 'id' ? 'id' : declarationOf(name, column),
      )
      expect(declared.sort(), dialect).toEqual(described.sort())
    },
  )
})
