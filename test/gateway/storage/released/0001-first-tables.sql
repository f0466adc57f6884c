CREATE INDEX authentications_due on authentications (expires_at, id) where status = 'open';
CREATE UNIQUE INDEX authentications_nonce on authentications (merchant_id, nonce) where nonce is not null;
CREATE INDEX authentications_of_transaction on authentications (transaction_id);
CREATE UNIQUE INDEX authentications_ref on authentications (ref);
CREATE UNIQUE INDEX authentications_token on authentications (token);
CREATE INDEX captures_of_transaction on captures (transaction_id);
CREATE INDEX clock_moves_of_merchant on clock_moves (merchant_id, id);
CREATE INDEX customers_of_merchant on customers (merchant_id, id);
CREATE UNIQUE INDEX customers_ref on customers (merchant_id, ref) where ref is not null;
CREATE INDEX log_events_of_transaction on log_events (transaction_id);
CREATE INDEX mails_of_merchant on mails (merchant_id, id);
CREATE INDEX next_authentications_of_merchant on next_authentications (merchant_id, id);
CREATE INDEX notifications_of_merchant on notifications (merchant_id, id);
CREATE INDEX payment_links_of_merchant on payment_links (merchant_id, id);
CREATE UNIQUE INDEX payment_links_token on payment_links (token);
CREATE INDEX pending_captures_answered on pending_captures (answer_at, merchant_id);
CREATE UNIQUE INDEX pending_captures_of_transaction on pending_captures (transaction_id);
CREATE INDEX plans_of_merchant on plans (merchant_id, id);
CREATE INDEX refunds_of_transaction on refunds (transaction_id);
CREATE INDEX requests_by_request_id on requests (request_id);
CREATE INDEX requests_of_merchant on requests (merchant_id, id, bytes);
CREATE INDEX requests_of_transaction on requests (transaction_id, id) where transaction_id is not null;
CREATE INDEX stored_cards_of_customer on stored_cards (customer_id);
CREATE INDEX stored_cards_of_merchant on stored_cards (merchant_id, id);
CREATE UNIQUE INDEX stored_cards_token on stored_cards (token);
CREATE INDEX subscriptions_due on subscriptions (next_at, id) where status = 'active';
CREATE INDEX subscriptions_of_customer on subscriptions (customer_id);
CREATE INDEX subscriptions_of_merchant on subscriptions (merchant_id, id);
CREATE INDEX transactions_asked on transactions (answer_by, merchant_id)
      where status = 'pending' and answer_by is not null;
CREATE UNIQUE INDEX transactions_attempt on transactions (merchant_id, attempt) where attempt is not null;
CREATE INDEX transactions_by_amount on transactions (merchant_id, amount, id);
CREATE INDEX transactions_by_card on transactions (merchant_id, substr(card_number, length(card_number) - 3), id)
      where card_number is not null;
CREATE INDEX transactions_by_error on transactions (merchant_id, error_name, id) where error_name is not null;
CREATE INDEX transactions_by_payment_ref on transactions (merchant_id, payment_ref);
CREATE INDEX transactions_by_status on transactions (merchant_id, status, id);
CREATE INDEX transactions_by_time on transactions (merchant_id, created_at, status, id);
CREATE INDEX transactions_expiring on transactions (expires_at, merchant_id)
      where status = 'pending' and expires_at is not null;
CREATE UNIQUE INDEX transactions_href_token on transactions (href_token);
CREATE INDEX transactions_of_customer on transactions (customer_id, merchant_id, id) where customer_id is not null;
CREATE INDEX transactions_of_merchant on transactions (merchant_id, id);
CREATE INDEX transactions_of_payment_link on transactions (payment_link_id, status) where payment_link_id is not null;
CREATE INDEX transactions_of_subscription on transactions (subscription_id) where subscription_id is not null;
CREATE UNIQUE INDEX transactions_payment_ref on transactions (merchant_id, payment_ref)
      where status in ('3ds pending', 'authorized', 'capture pending', 'approved');
CREATE INDEX webhook_attempts_of_delivery on webhook_attempts (delivery_id);
CREATE INDEX webhook_deliveries_due on webhook_deliveries (due_at, id) where status = 'pending';
CREATE INDEX webhook_deliveries_due_of_host on webhook_deliveries (host, due_at, id) where status = 'pending';
CREATE INDEX webhook_deliveries_due_of_merchant on webhook_deliveries (merchant_id, due_at, id) where status = 'pending';
CREATE INDEX webhook_deliveries_newest on webhook_deliveries (merchant_id, id);
CREATE INDEX webhook_deliveries_of_event on webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_of_merchant on webhook_deliveries (merchant_id, status, id);
CREATE INDEX webhook_deliveries_of_transaction on webhook_deliveries (transaction_id);
CREATE INDEX webhook_deliveries_untried on webhook_deliveries (transaction_id, id)
      where status = 'pending' and attempts = 0;
CREATE INDEX webhooks_of_transaction on webhooks (transaction_id);
CREATE TABLE authentications (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      transaction_id bigint references transactions (id),
      ref text not null,
      token text not null,
      key text not null,
      nonce text,
      origin text,
      request_hash text,
      locale text,
      plan text not null,
      ids text not null,
      brand text not null,
      card_number text not null,
      payment_ref text not null,
      amount_text text not null,
      currency text not null,
      test integer not null,
      provider_ref text not null,
      word text,
      storing_fails integer not null,
      status text not null,
      result text,
      answer text,
      answer_at bigint,
      opened_at bigint,
      steps text not null,
      wrong_codes integer not null,
      new_codes integer not null,
      extensions integer not null,
      refused_answers integer not null,
      expires_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      page text,
      form integer not null default 0);
CREATE TABLE captures (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      amount bigint not null,
      created_at bigint not null);
CREATE TABLE clock_moves (
      id integer primary key autoincrement,
      merchant_id bigint not null,
      kind text not null,
      from_at bigint not null,
      to_at bigint not null);
CREATE TABLE clocks (
      merchant_id bigint primary key not null,
      frozen_at bigint,
      ahead bigint not null,
      moving_until bigint);
CREATE TABLE console_sessions (
      token_hash text primary key,
      merchant_id bigint references merchants (id),
      proof text not null,
      expires_at bigint not null);
CREATE TABLE customers (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      ref text,
      metadata text,
      created_at bigint not null,
      updated_at bigint not null);
CREATE TABLE faults (
      id integer primary key autoincrement,
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
      drawn integer not null);
CREATE TABLE log_events (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      event_type text not null,
      data text not null,
      created_at bigint not null);
CREATE TABLE login_failures (
      username text primary key,
      failures integer not null,
      locked_until bigint,
      updated_at bigint not null);
CREATE TABLE mails (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      delivery_id bigint not null references webhook_deliveries (id),
      message_id text not null,
      sender text not null,
      recipient text not null,
      subject text not null,
      text text not null,
      html text not null,
      status text not null,
      created_at bigint not null);
CREATE TABLE merchants (
      id bigint primary key not null,
      name text not null,
      password_hash text not null,
      secret text not null,
      private_key text,
      public_key text,
      settings text not null,
      created_at bigint not null,
      updated_at bigint not null,
      setting_changes text not null default '{}',
      webhook_overrides text not null default '{}');
CREATE TABLE next_authentications (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      plan text not null);
CREATE TABLE next_outcomes (
      id integer primary key autoincrement,
      merchant_id bigint,
      operation text not null,
      outcome text not null,
      seconds integer not null,
      times integer not null,
      wallet_type text,
      chosen_currency text);
CREATE TABLE notifications (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      kind text not null,
      delivery_id bigint not null,
      transaction_id bigint,
      message text not null,
      created_at bigint not null);
CREATE TABLE payment_links (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      token text not null,
      amount bigint not null,
      currency text not null,
      payment_ref text not null,
      description text not null,
      plan_id bigint,
      test integer not null,
      success_url text,
      error_url text,
      expires_at bigint,
      uses integer not null,
      begun integer not null,
      closed_at bigint,
      created_at bigint not null,
      updated_at bigint not null);
CREATE TABLE pending_captures (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      amount bigint not null,
      outcome text not null,
      answer_at bigint not null);
CREATE TABLE plans (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      name text not null,
      description text not null,
      interval integer not null,
      interval_unit text not null,
      prices text not null,
      setup_fees text not null,
      periods integer not null,
      trial_length integer not null,
      status text not null,
      created_at bigint not null,
      updated_at bigint not null);
CREATE TABLE refunds (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      amount bigint not null,
      reason text not null,
      ref text,
      created_at bigint not null);
CREATE TABLE requests (
      id integer primary key autoincrement,
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
      answer text);
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE stored_cards (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      customer_id bigint,
      token text not null,
      card_holder text not null,
      card_number text not null,
      card_expiry text not null,
      card_type text not null,
      currency text not null,
      status text not null,
      expires bigint not null,
      ref text,
      test integer not null,
      recurring integer not null,
      transaction_id bigint,
      created_at bigint not null,
      updated_at bigint not null);
CREATE TABLE subscription_charges (
      id integer primary key autoincrement,
      subscription_id bigint not null references subscriptions (id),
      period_at bigint not null,
      attempt integer not null,
      amount bigint not null,
      transaction_id bigint references transactions (id),
      created_at bigint not null,
      constraint subscription_charges_once unique (subscription_id, period_at, attempt));
CREATE TABLE subscriptions (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      plan_id bigint not null references plans (id),
      customer_id bigint,
      stored_card_id bigint not null references stored_cards (id),
      status text not null,
      currency text not null,
      price bigint not null,
      quantity integer not null,
      items text not null,
      debt bigint not null,
      interval integer not null,
      interval_unit text not null,
      total_periods integer not null,
      period_count integer not null,
      retry_count integer not null,
      start_date bigint not null,
      anchor_at bigint not null,
      next_at bigint not null,
      metadata text,
      test integer not null,
      created_at bigint not null,
      updated_at bigint not null,
      period_index integer not null default 0,
      attempts integer not null default 0);
CREATE TABLE templates (
      merchant_id bigint not null,
      id bigint not null,
      name text not null,
      kind text not null,
      source text not null,
      prepared text not null,
      created_at bigint not null,
      updated_at bigint not null,
      constraint templates_key primary key (merchant_id, id));
CREATE TABLE transactions (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      amount bigint,
      amount_text text not null,
      vat_amount bigint,
      currency text not null,
      payment_ref text not null,
      customer_ref text,
      customer_id bigint,
      stored_card_id bigint,
      subscription_id bigint,
      template_id bigint,
      card_holder text,
      card_number text,
      card_expiry text,
      card_type text,
      test integer not null,
      authorize integer not null,
      store_card integer not null,
      status text not null,
      status_details text,
      error_name text,
      error_message text,
      transaction_type text,
      payment_method text not null,
      success_url text,
      error_url text,
      href_token text not null,
      attempt text,
      mpi_ref text,
      provider_ref text,
      request_hash text,
      org_auth_amount bigint,
      metadata text,
      items text,
      payment_details text,
      payment_request text not null,
      payment_response text,
      client text not null,
      plan_id bigint,
      start_date bigint,
      subscription_quantity integer,
      subscription_items text,
      payment_link_id bigint,
      wallet_type text,
      currency_converter text,
      processed_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      version integer not null default 1,
      expires_at bigint,
      tries integer not null default 0,
      answer_by bigint);
CREATE TABLE webhook_attempts (
      id integer primary key autoincrement,
      merchant_id bigint not null,
      delivery_id bigint not null references webhook_deliveries (id),
      number integer not null,
      manual integer not null,
      outcome text not null,
      request_headers text,
      request_body text,
      response text not null,
      duration integer not null,
      created_at bigint not null);
CREATE TABLE webhook_bodies (
      id integer primary key autoincrement references webhook_deliveries (id),
      body text not null);
CREATE TABLE webhook_deliveries (
      id integer primary key autoincrement,
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
      updated_at bigint not null);
CREATE TABLE webhooks (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      type text not null,
      trigger text not null,
      url text,
      http_method text,
      data_format text,
      email text,
      response text,
      request_body text,
      delivery_id bigint,
      created_at bigint not null);
