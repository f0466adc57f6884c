import type { Tables } from '../tables.ts'

/** The latest requests. Rows of merchant 0 are requests without a valid login. */
export const requests: Tables = (id) => ({
  columns: {
    requests: `
      ${id},
      request_id text not null,
      merchant_id bigint not null,
      transaction_id bigint,
      method text not null,
      route text,
      status integer,
      error text,
      explain text,
      duration double precision not null,
      bytes integer not null,
      created_at bigint not null,
      contents text not null,
      answer text`,
  },
  indexes: [
    'index requests_of_merchant on requests (merchant_id, id, bytes)',
    'index requests_by_request_id on requests (request_id)',
    'index requests_of_transaction on requests (transaction_id, id) where transaction_id is not null',
  ],
})
