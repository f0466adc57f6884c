import { type Dialect, LISTED_TABLES } from '../tables/schema.ts'

/**
 * Creates `row_counts`: the number of rows that each merchant has in each listed table. Triggers
 * update it in the same database transaction. On PostgreSQL each connection counts in a slot, and
 * the total is the sum.
 */
export const listRowCounts = (dialect: Dialect): readonly string[] => [
  `create table row_counts (table_name text not null, merchant_id bigint not null, slot integer not null,
    count bigint not null, primary key (table_name, merchant_id, slot))`,
  ...(dialect === 'postgres' ? [POSTGRES_FUNCTION] : []),
  ...LISTED_TABLES.flatMap((table) => TRIGGERS[dialect](table)),
]

const TRIGGERS: Readonly<Record<Dialect, (table: string) => string[]>> = {
  sqlite: (table) => [
    `create trigger ${table}_inserted after insert on ${table} begin
      insert into row_counts values ('${table}', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end`,
    `create trigger ${table}_deleted after delete on ${table} begin
      update row_counts set count = count - 1
        where table_name = '${table}' and merchant_id = old.merchant_id;
    end`,
  ],
  postgres: (table) => [
    `create trigger ${table}_counted after insert or delete on ${table}
      for each row execute function count_row()`,
  ],
}

// A counting row is locked until the commit: with one row per merchant, payments wait for each
// other, and deadlock with writes that count in another order. 32 slots are more than the
// connections of three gateways, so that they seldom share one.
const POSTGRES_FUNCTION = `create function count_row() returns trigger language plpgsql as $$
  declare
    change integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into row_counts as counts
      values (tg_table_name, coalesce(new.merchant_id, old.merchant_id), pg_backend_pid() % 32, change)
      on conflict (table_name, merchant_id, slot) do update set count = counts.count + change;
    return null;
  end $$`
