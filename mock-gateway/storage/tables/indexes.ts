/** The indexes of all tables, in SQL that both databases read. */
export const INDEXES: readonly string[] = [
  'index transactions_of_merchant on transactions (merchant_id, id)',
  'index transactions_by_status on transactions (merchant_id, status, id)',
  'index transactions_by_payment_ref on transactions (merchant_id, payment_ref)',
  // Columns that the console searches and filters.
  'index transactions_by_amount on transactions (merchant_id, amount, id)',
  'index transactions_by_time on transactions (merchant_id, created_at, status, id)',
  `index transactions_by_card on transactions (merchant_id, substr(card_number, length(card_number) - 3), id)
      where card_number is not null`,
  `index transactions_by_error on transactions (merchant_id, error_name, id) where error_name is not null`,
  'index transactions_of_customer on transactions (customer_id, merchant_id, id) where customer_id is not null',
  // Few transactions belong to a subscription; the index omits the others.
  'index transactions_of_subscription on transactions (subscription_id) where subscription_id is not null',
  // One transaction of an order is paid; any number of unpaid ones can have its payment_ref
  // (decision 12).
  `unique index transactions_payment_ref on transactions (merchant_id, payment_ref)
      where status in ('3ds pending', 'authorized', 'capture pending', 'approved')`,
  'index transactions_of_payment_link on transactions (payment_link_id, status) where payment_link_id is not null',
  'unique index transactions_href_token on transactions (href_token)',
  'unique index transactions_attempt on transactions (merchant_id, attempt) where attempt is not null',
  // Due items: few transactions are pending, and few wait for an answer elsewhere.
  `index transactions_expiring on transactions (expires_at, merchant_id)
      where status = 'pending' and expires_at is not null`,
  `index transactions_asked on transactions (answer_by, merchant_id)
      where status = 'pending' and answer_by is not null`,
  'index log_events_of_transaction on log_events (transaction_id)',
  'index captures_of_transaction on captures (transaction_id)',
  'unique index pending_captures_of_transaction on pending_captures (transaction_id)',
  'index pending_captures_answered on pending_captures (answer_at, merchant_id)',
  'index refunds_of_transaction on refunds (transaction_id)',
  'index webhooks_of_transaction on webhooks (transaction_id)',
  'index payment_links_of_merchant on payment_links (merchant_id, id)',
  'unique index payment_links_token on payment_links (token)',
  'index stored_cards_of_merchant on stored_cards (merchant_id, id)',
  'index stored_cards_of_customer on stored_cards (customer_id)',
  'unique index stored_cards_token on stored_cards (token)',
  'index customers_of_merchant on customers (merchant_id, id)',
  'unique index customers_ref on customers (merchant_id, ref) where ref is not null',
  'index plans_of_merchant on plans (merchant_id, id)',
  'index subscriptions_of_merchant on subscriptions (merchant_id, id)',
  'index subscriptions_of_customer on subscriptions (customer_id)',
  `index subscriptions_due on subscriptions (next_at, id) where status = 'active'`,
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
  'unique index authentications_ref on authentications (ref)',
  'unique index authentications_token on authentications (token)',
  'unique index authentications_nonce on authentications (merchant_id, nonce) where nonce is not null',
  'index authentications_of_transaction on authentications (transaction_id)',
  `index authentications_due on authentications (expires_at, id) where status = 'open'`,
  'index next_authentications_of_merchant on next_authentications (merchant_id, id)',
  'index clock_moves_of_merchant on clock_moves (merchant_id, id)',
  'index requests_of_merchant on requests (merchant_id, id, bytes)',
  'index requests_by_request_id on requests (request_id)',
  'index requests_of_transaction on requests (transaction_id, id) where transaction_id is not null',
  'unique index templates_key on templates (merchant_id, id)',
  'unique index subscription_charges_once on subscription_charges (subscription_id, period_at, attempt)',
  'index return_failures_of_merchant on return_failures (merchant_id, id)',
  'index return_failures_of_transaction on return_failures (transaction_id)',
  // The console groups rejected requests by error, call and merchant.
  `index requests_by_error on requests (merchant_id, error, method, route, created_at)
      where error is not null`,
]
