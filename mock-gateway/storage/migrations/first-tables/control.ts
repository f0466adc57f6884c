import type { Tables } from '../tables.ts'

/** Settings of tests: clocks, forced outcomes and faults. */
export const control: Tables = (id) => ({
  columns: {
    // 0 is not a merchant: its row is the common clock, for merchants without their own.
    clocks: `
      merchant_id bigint primary key not null,
      frozen_at bigint,
      ahead bigint not null,
      moving_until bigint`,
    clock_moves: `
      ${id},
      merchant_id bigint not null,
      kind text not null,
      from_at bigint not null,
      to_at bigint not null`,
    next_outcomes: `
      ${id},
      merchant_id bigint,
      operation text not null,
      outcome text not null,
      seconds integer not null,
      times integer not null,
      wallet_type text,
      chosen_currency text`,
    next_authentications: `
      ${id},
      merchant_id bigint not null references merchants (id),
      plan text not null`,
    faults: `
      ${id},
      merchant_id bigint,
      kind text not null,
      milliseconds integer not null,
      method text,
      path text,
      times integer,
      until bigint,
      probability double precision not null,
      seed text not null,
      struck integer not null,
      drawn integer not null`,
  },
  indexes: [
    'index next_authentications_of_merchant on next_authentications (merchant_id, id)',
    'index clock_moves_of_merchant on clock_moves (merchant_id, id)',
  ],
})
