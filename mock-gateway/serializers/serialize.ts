import type {
  Customer,
  Plan,
  Reference,
  StoredCard,
  Subscription,
  Transaction,
} from '../contract/wire.ts'
import { formatAmount, type Hundredths } from '../domain/money/money.ts'
import { createRowMaker } from '../storage/row-maker.ts'
import type { Row } from '../storage/rows.ts'
import type { Column, Columns } from '../storage/tables/columns.ts'
import { COLUMNS, type Tables } from '../storage/tables/schema.ts'
import { formatWireTime } from './time.ts'

/**
 * Serializes related objects: as an id, or in full if `extend` names them (specification: What the
 * service does).
 */
export interface References {
  customer(id: number | null): Reference | Customer | null
  stored_card(id: number | null): Reference | StoredCard | null
  plan(id: number): Reference | Plan
  subscription(id: number | null): Reference | Subscription | null
  transaction(id: number): Reference | Transaction
}

const byId = (id: number | null) => (id === null ? null : { id })

/** Serializes every related object as an id. */
export const BY_ID: References = {
  customer: byId,
  stored_card: byId,
  plan: (id) => ({ id }),
  subscription: byId,
  transaction: (id) => ({ id }),
}

/** How the wire writes a column: an amount or a time is text; undefined: any other value. */
type OnWire<Value, Member> = Value extends number
  ? string extends Member
    ? string
    : number
  : Value

/** Names of the members that follow from a column, and of the references to other objects. */
type DerivedName<Wire, Stored> = {
  [Name in keyof Wire & string]: Name extends keyof Stored
    ? OnWire<Stored[Name], Wire[Name]> extends Wire[Name]
      ? Name
      : never
    : `${Name}_id` extends keyof Stored
      ? Name
      : never
}[keyof Wire & string]

/** The other members, which have rules of their own. */
type GivenMembers<Wire, Stored> = Omit<Wire, DerivedName<Wire, Stored>> & Partial<Wire>

/**
 * Creates the serializer of a table's rows. A member follows from the column of its name: amounts
 * become decimal text, times ISO 8601, and `customer` is the object that `customer_id` refers to.
 * @param names the members in their order on the wire
 */
export function createSerializer<Wire, Table extends keyof Tables>(
  table: Table,
  names: readonly (keyof Wire & string)[],
) {
  const readers = names.map((name) => createReader(COLUMNS[table], name))
  const make = createRowMaker(names)
  return (
    row: Row<Table>,
    given: GivenMembers<Wire, Row<Table>>,
    references: References = BY_ID,
  ): Wire =>
    make(
      names.map((name, at) =>
        name in given ? given[name] : readers[at]?.(row as StoredValues, references),
      ),
    ) as Wire
}

type StoredValues = Readonly<Record<string, unknown>>

/** Returns the function that reads a member from a row; undefined if no column has its name. */
function createReader(columns: Columns, name: string) {
  const reference = `${name}_id`
  if (name in columns) {
    const write = WRITERS[(columns[name] as Column<unknown>).kind]
    return (row: StoredValues) =>
      write && row[name] !== null ? write(row[name] as never) : row[name]
  }
  return reference in columns
    ? (row: StoredValues, references: References) =>
        references[name as keyof References](row[reference] as number)
    : undefined
}

const WRITERS: Partial<Readonly<Record<Column<unknown>['kind'], (value: never) => string>>> = {
  amount: (value: Hundredths) => formatAmount(value),
  moment: (value: number) => formatWireTime(value),
}
