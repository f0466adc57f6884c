import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Dialect } from '../schema.ts'

/** What migrations share. Released ones rely on it: whoever needs something else adds it beside these. */

/** Gives a table its `id`, which the database counts up. */
export function identified<T extends string>(
  table: CreateTableBuilder<T, never>,
  dialect: Dialect,
): CreateTableBuilder<T, string> {
  return dialect === 'sqlite'
    ? table.addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (c) => c.primaryKey().generatedByDefaultAsIdentity())
}

/** Keeps `row_counts` in step with a table, in the same database transaction. */
export async function countRows(db: Kysely<unknown>, dialect: Dialect, table: string) {
  if (dialect === 'sqlite') {
    await sql`create trigger ${sql.ref(`${table}_counted`)} after insert on ${sql.table(table)} begin
      insert into row_counts (merchant_id, resource, count) values (new.merchant_id, ${sql.lit(table)}, 1)
        on conflict (merchant_id, resource) do update set count = count + 1; end`.execute(db)
    await sql`create trigger ${sql.ref(`${table}_uncounted`)} after delete on ${sql.table(table)} begin
      update row_counts set count = count - 1 where merchant_id = old.merchant_id and resource = ${sql.lit(table)}; end`.execute(
      db,
    )
    return
  }
  await sql`create or replace function count_row() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update row_counts set count = count - 1 where merchant_id = old.merchant_id and resource = tg_table_name;
      else
        insert into row_counts as c (merchant_id, resource, count) values (new.merchant_id, tg_table_name, 1)
          on conflict (merchant_id, resource) do update set count = c.count + 1;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger ${sql.ref(`${table}_counted`)} after insert or delete on ${sql.table(table)}
    for each row execute function count_row()`.execute(db)
}
