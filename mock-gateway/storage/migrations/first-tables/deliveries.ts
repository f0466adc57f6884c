import type { Tables } from '../tables.ts'

/** Webhook deliveries with their attempts, mails, and notifications of the dashboard. */
export const deliveries: Tables = (id) => ({
  columns: {
    webhook_deliveries: `
      ${id},
      merchant_id bigint not null references merchants (id),
      event_id text not null,
      message_id text not null,
      transaction_id bigint,
      webhook_id bigint,
      template text,
      type text not null,
      trigger text not null,
      url text,
      http_method text,
      data_format text,
      email text,
      host text not null,
      status text not null,
      attempts integer not null,
      calls integer not null,
      due_at bigint,
      again_from text,
      again_due_at bigint,
      lease_until bigint,
      lease_owner text,
      created_at bigint not null,
      updated_at bigint not null`,
    // Under the id of its delivery, whose row stays small.
    webhook_bodies: `
      ${id} references webhook_deliveries (id),
      body text not null`,
    webhook_attempts: `
      ${id},
      merchant_id bigint not null,
      delivery_id bigint not null references webhook_deliveries (id),
      number integer not null,
      manual integer not null,
      outcome text not null,
      request_headers text,
      request_body text,
      response text not null,
      duration integer not null,
      created_at bigint not null`,
    notifications: `
      ${id},
      merchant_id bigint not null references merchants (id),
      kind text not null,
      delivery_id bigint not null,
      transaction_id bigint,
      message text not null,
      created_at bigint not null`,
    // Without an SMTP server this is where they end.
    mails: `
      ${id},
      merchant_id bigint not null references merchants (id),
      delivery_id bigint not null references webhook_deliveries (id),
      message_id text not null,
      sender text not null,
      recipient text not null,
      subject text not null,
      text text not null,
      html text not null,
      status text not null,
      created_at bigint not null`,
  },
  indexes: [
    // Contains pending deliveries only, so the search stays fast with many finished ones.
    `index webhook_deliveries_due on webhook_deliveries (due_at, id) where status = 'pending'`,
    `index webhook_deliveries_due_of_merchant on webhook_deliveries (merchant_id, due_at, id) where status = 'pending'`,
    // A host that is called as often as allowed can have many pending deliveries: the search skips
    // them.
    `index webhook_deliveries_due_of_host on webhook_deliveries (host, due_at, id) where status = 'pending'`,
    `index webhook_deliveries_untried on webhook_deliveries (transaction_id, id)
      where status = 'pending' and attempts = 0`,
    'index webhook_deliveries_of_merchant on webhook_deliveries (merchant_id, status, id)',
    // The newest deliveries of a merchant with any status, which the console reads often.
    'index webhook_deliveries_newest on webhook_deliveries (merchant_id, id)',
    'index webhook_deliveries_of_transaction on webhook_deliveries (transaction_id)',
    'index webhook_deliveries_of_event on webhook_deliveries (event_id)',
    'index webhook_attempts_of_delivery on webhook_attempts (delivery_id)',
    'index notifications_of_merchant on notifications (merchant_id, id)',
    'index mails_of_merchant on mails (merchant_id, id)',
  ],
})
