/** The tables of a new SQLite database. A test writes this file from the migrations. */
export const NEW_SQLITE_TABLES = `
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
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
      webhook_overrides text not null default '{}', previous_secret text, previous_secret_until bigint, previous_password_hash text, previous_password_until bigint);
CREATE TABLE login_failures (
      username text primary key,
      failures integer not null,
      locked_until bigint,
      updated_at bigint not null);
CREATE TABLE console_sessions (
      token_hash text primary key,
      merchant_id bigint references merchants (id),
      proof text not null,
      expires_at bigint not null);
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
CREATE TABLE customers (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      ref text,
      metadata text,
      created_at bigint not null,
      updated_at bigint not null);
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
CREATE TABLE log_events (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      event_type text not null,
      data text not null,
      created_at bigint not null);
CREATE TABLE captures (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      amount bigint not null,
      created_at bigint not null);
CREATE TABLE pending_captures (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      amount bigint not null,
      outcome text not null,
      answer_at bigint not null);
CREATE TABLE refunds (
      id integer primary key autoincrement,
      transaction_id bigint not null references transactions (id),
      merchant_id bigint not null,
      amount bigint not null,
      reason text not null,
      ref text,
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
CREATE TABLE subscription_charges (
      id integer primary key autoincrement,
      subscription_id bigint not null references subscriptions (id),
      period_at bigint not null,
      attempt integer not null,
      amount bigint not null,
      transaction_id bigint references transactions (id),
      created_at bigint not null,
      constraint subscription_charges_once unique (subscription_id, period_at, attempt));
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
CREATE TABLE webhook_bodies (
      id integer primary key autoincrement references webhook_deliveries (id),
      body text not null, traceparent text);
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
CREATE TABLE notifications (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      kind text not null,
      delivery_id bigint not null,
      transaction_id bigint,
      message text not null,
      created_at bigint not null);
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
CREATE TABLE clocks (
      merchant_id bigint primary key not null,
      frozen_at bigint,
      ahead bigint not null,
      moving_until bigint);
CREATE TABLE clock_moves (
      id integer primary key autoincrement,
      merchant_id bigint not null,
      kind text not null,
      from_at bigint not null,
      to_at bigint not null);
CREATE TABLE next_outcomes (
      id integer primary key autoincrement,
      merchant_id bigint,
      operation text not null,
      outcome text not null,
      seconds integer not null,
      times integer not null,
      wallet_type text,
      currency_converter text);
CREATE TABLE next_authentications (
      id integer primary key autoincrement,
      merchant_id bigint not null references merchants (id),
      plan text not null);
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
CREATE INDEX transactions_of_merchant on transactions (merchant_id, id);
CREATE INDEX transactions_by_status on transactions (merchant_id, status, id);
CREATE INDEX transactions_by_payment_ref on transactions (merchant_id, payment_ref);
CREATE INDEX transactions_by_amount on transactions (merchant_id, amount, id);
CREATE INDEX transactions_by_time on transactions (merchant_id, created_at, status, id);
CREATE INDEX transactions_by_card on transactions (merchant_id, substr(card_number, length(card_number) - 3), id)
      where card_number is not null;
CREATE INDEX transactions_by_error on transactions (merchant_id, error_name, id) where error_name is not null;
CREATE INDEX transactions_of_customer on transactions (customer_id, merchant_id, id) where customer_id is not null;
CREATE INDEX transactions_of_subscription on transactions (subscription_id) where subscription_id is not null;
CREATE UNIQUE INDEX transactions_payment_ref on transactions (merchant_id, payment_ref)
      where status in ('3ds pending', 'authorized', 'capture pending', 'approved');
CREATE INDEX transactions_of_payment_link on transactions (payment_link_id, status) where payment_link_id is not null;
CREATE UNIQUE INDEX transactions_href_token on transactions (href_token);
CREATE UNIQUE INDEX transactions_attempt on transactions (merchant_id, attempt) where attempt is not null;
CREATE INDEX transactions_expiring on transactions (expires_at, merchant_id)
      where status = 'pending' and expires_at is not null;
CREATE INDEX transactions_asked on transactions (answer_by, merchant_id)
      where status = 'pending' and answer_by is not null;
CREATE INDEX log_events_of_transaction on log_events (transaction_id);
CREATE INDEX captures_of_transaction on captures (transaction_id);
CREATE UNIQUE INDEX pending_captures_of_transaction on pending_captures (transaction_id);
CREATE INDEX pending_captures_answered on pending_captures (answer_at, merchant_id);
CREATE INDEX refunds_of_transaction on refunds (transaction_id);
CREATE INDEX webhooks_of_transaction on webhooks (transaction_id);
CREATE INDEX payment_links_of_merchant on payment_links (merchant_id, id);
CREATE UNIQUE INDEX payment_links_token on payment_links (token);
CREATE INDEX stored_cards_of_merchant on stored_cards (merchant_id, id);
CREATE INDEX stored_cards_of_customer on stored_cards (customer_id);
CREATE UNIQUE INDEX stored_cards_token on stored_cards (token);
CREATE INDEX customers_of_merchant on customers (merchant_id, id);
CREATE UNIQUE INDEX customers_ref on customers (merchant_id, ref) where ref is not null;
CREATE INDEX plans_of_merchant on plans (merchant_id, id);
CREATE INDEX subscriptions_of_merchant on subscriptions (merchant_id, id);
CREATE INDEX subscriptions_of_customer on subscriptions (customer_id);
CREATE INDEX subscriptions_due on subscriptions (next_at, id) where status = 'active';
CREATE INDEX webhook_deliveries_due on webhook_deliveries (due_at, id) where status = 'pending';
CREATE INDEX webhook_deliveries_due_of_merchant on webhook_deliveries (merchant_id, due_at, id) where status = 'pending';
CREATE INDEX webhook_deliveries_due_of_host on webhook_deliveries (host, due_at, id) where status = 'pending';
CREATE INDEX webhook_deliveries_untried on webhook_deliveries (transaction_id, id)
      where status = 'pending' and attempts = 0;
CREATE INDEX webhook_deliveries_of_merchant on webhook_deliveries (merchant_id, status, id);
CREATE INDEX webhook_deliveries_newest on webhook_deliveries (merchant_id, id);
CREATE INDEX webhook_deliveries_of_transaction on webhook_deliveries (transaction_id);
CREATE INDEX webhook_deliveries_of_event on webhook_deliveries (event_id);
CREATE INDEX webhook_attempts_of_delivery on webhook_attempts (delivery_id);
CREATE INDEX notifications_of_merchant on notifications (merchant_id, id);
CREATE INDEX mails_of_merchant on mails (merchant_id, id);
CREATE UNIQUE INDEX authentications_ref on authentications (ref);
CREATE UNIQUE INDEX authentications_token on authentications (token);
CREATE UNIQUE INDEX authentications_nonce on authentications (merchant_id, nonce) where nonce is not null;
CREATE INDEX authentications_of_transaction on authentications (transaction_id);
CREATE INDEX authentications_due on authentications (expires_at, id) where status = 'open';
CREATE INDEX next_authentications_of_merchant on next_authentications (merchant_id, id);
CREATE INDEX clock_moves_of_merchant on clock_moves (merchant_id, id);
CREATE INDEX requests_of_merchant on requests (merchant_id, id, bytes);
CREATE INDEX requests_by_request_id on requests (request_id);
CREATE INDEX requests_of_transaction on requests (transaction_id, id) where transaction_id is not null;
CREATE TABLE return_failures (
        id integer primary key autoincrement,
        merchant_id bigint not null references merchants (id),
        transaction_id bigint not null references transactions (id),
        address text not null,
        reason text not null,
        created_at bigint not null);
CREATE INDEX return_failures_of_merchant on return_failures (merchant_id, id);
CREATE INDEX return_failures_of_transaction on return_failures (transaction_id);
CREATE TABLE row_counts (table_name text not null, merchant_id bigint not null, slot integer not null,
        count bigint not null, primary key (table_name, merchant_id, slot));
CREATE TRIGGER transactions_inserted after insert on transactions begin
      insert into row_counts values ('transactions', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER transactions_deleted after delete on transactions begin
      update row_counts set count = count - 1
        where table_name = 'transactions' and merchant_id = old.merchant_id;
    end;
CREATE TRIGGER stored_cards_inserted after insert on stored_cards begin
      insert into row_counts values ('stored_cards', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER stored_cards_deleted after delete on stored_cards begin
      update row_counts set count = count - 1
        where table_name = 'stored_cards' and merchant_id = old.merchant_id;
    end;
CREATE TRIGGER customers_inserted after insert on customers begin
      insert into row_counts values ('customers', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER customers_deleted after delete on customers begin
      update row_counts set count = count - 1
        where table_name = 'customers' and merchant_id = old.merchant_id;
    end;
CREATE TRIGGER refunds_inserted after insert on refunds begin
      insert into row_counts values ('refunds', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER refunds_deleted after delete on refunds begin
      update row_counts set count = count - 1
        where table_name = 'refunds' and merchant_id = old.merchant_id;
    end;
CREATE TRIGGER webhooks_inserted after insert on webhooks begin
      insert into row_counts values ('webhooks', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER webhooks_deleted after delete on webhooks begin
      update row_counts set count = count - 1
        where table_name = 'webhooks' and merchant_id = old.merchant_id;
    end;
CREATE TRIGGER plans_inserted after insert on plans begin
      insert into row_counts values ('plans', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER plans_deleted after delete on plans begin
      update row_counts set count = count - 1
        where table_name = 'plans' and merchant_id = old.merchant_id;
    end;
CREATE TRIGGER subscriptions_inserted after insert on subscriptions begin
      insert into row_counts values ('subscriptions', new.merchant_id, 0, 1)
        on conflict do update set count = count + 1;
    end;
CREATE TRIGGER subscriptions_deleted after delete on subscriptions begin
      update row_counts set count = count - 1
        where table_name = 'subscriptions' and merchant_id = old.merchant_id;
    end;
CREATE TABLE seeds (
        merchant_id bigint primary key not null,
        seed text not null,
        streams integer not null,
        free_stream integer,
        drawn bigint);
CREATE TABLE snapshots (
        id integer primary key autoincrement,
        merchant_id bigint not null,
        name text not null,
        clocks text not null,
        seeds text not null,
        newest_ids text not null,
        payments integer not null,
        saved_at bigint not null,
        constraint snapshots_name unique (merchant_id, name));
CREATE TABLE snapshot_requests (snapshot_id bigint not null, id integer, "request_id", "merchant_id", "transaction_id", "method", "route", "status", "error", "explain", "duration", "bytes", "created_at", "contents", "answer");
CREATE UNIQUE INDEX snapshot_requests_key on snapshot_requests (snapshot_id, id);
CREATE TABLE snapshot_clock_moves (snapshot_id bigint not null, id integer, "merchant_id", "kind", "from_at", "to_at");
CREATE UNIQUE INDEX snapshot_clock_moves_key on snapshot_clock_moves (snapshot_id, id);
CREATE TABLE snapshot_mails (snapshot_id bigint not null, id integer, "merchant_id", "delivery_id", "message_id", "sender", "recipient", "subject", "text", "html", "status", "created_at");
CREATE UNIQUE INDEX snapshot_mails_key on snapshot_mails (snapshot_id, id);
CREATE TABLE snapshot_notifications (snapshot_id bigint not null, id integer, "merchant_id", "kind", "delivery_id", "transaction_id", "message", "created_at");
CREATE UNIQUE INDEX snapshot_notifications_key on snapshot_notifications (snapshot_id, id);
CREATE TABLE snapshot_return_failures (snapshot_id bigint not null, id integer, "merchant_id", "transaction_id", "address", "reason", "created_at");
CREATE UNIQUE INDEX snapshot_return_failures_key on snapshot_return_failures (snapshot_id, id);
CREATE TABLE snapshot_webhook_attempts (snapshot_id bigint not null, id integer, "merchant_id", "delivery_id", "number", "manual", "outcome", "request_headers", "request_body", "response", "duration", "created_at");
CREATE UNIQUE INDEX snapshot_webhook_attempts_key on snapshot_webhook_attempts (snapshot_id, id);
CREATE TABLE snapshot_webhook_bodies (snapshot_id bigint not null, id integer, "body", "traceparent");
CREATE UNIQUE INDEX snapshot_webhook_bodies_key on snapshot_webhook_bodies (snapshot_id, id);
CREATE TABLE snapshot_webhook_deliveries (snapshot_id bigint not null, id integer, "merchant_id", "event_id", "message_id", "transaction_id", "webhook_id", "template", "type", "trigger", "url", "http_method", "data_format", "email", "host", "status", "attempts", "calls", "due_at", "again_from", "again_due_at", "lease_until", "lease_owner", "created_at", "updated_at");
CREATE UNIQUE INDEX snapshot_webhook_deliveries_key on snapshot_webhook_deliveries (snapshot_id, id);
CREATE TABLE snapshot_next_authentications (snapshot_id bigint not null, id integer, "merchant_id", "plan");
CREATE UNIQUE INDEX snapshot_next_authentications_key on snapshot_next_authentications (snapshot_id, id);
CREATE TABLE snapshot_next_outcomes (snapshot_id bigint not null, id integer, "merchant_id", "operation", "outcome", "seconds", "times", "wallet_type", "currency_converter");
CREATE UNIQUE INDEX snapshot_next_outcomes_key on snapshot_next_outcomes (snapshot_id, id);
CREATE TABLE snapshot_faults (snapshot_id bigint not null, id integer, "merchant_id", "kind", "milliseconds", "method", "path", "times", "until", "probability", "seed", "struck", "drawn");
CREATE UNIQUE INDEX snapshot_faults_key on snapshot_faults (snapshot_id, id);
CREATE TABLE snapshot_authentications (snapshot_id bigint not null, id integer, "merchant_id", "transaction_id", "ref", "token", "key", "nonce", "origin", "request_hash", "locale", "plan", "ids", "brand", "card_number", "payment_ref", "amount_text", "currency", "test", "provider_ref", "word", "storing_fails", "status", "result", "answer", "answer_at", "opened_at", "steps", "wrong_codes", "new_codes", "extensions", "refused_answers", "expires_at", "created_at", "updated_at", "page", "form");
CREATE UNIQUE INDEX snapshot_authentications_key on snapshot_authentications (snapshot_id, id);
CREATE TABLE snapshot_subscription_charges (snapshot_id bigint not null, id integer, "subscription_id", "period_at", "attempt", "amount", "transaction_id", "created_at");
CREATE UNIQUE INDEX snapshot_subscription_charges_key on snapshot_subscription_charges (snapshot_id, id);
CREATE TABLE snapshot_subscriptions (snapshot_id bigint not null, id integer, "merchant_id", "plan_id", "customer_id", "stored_card_id", "status", "currency", "price", "quantity", "items", "debt", "interval", "interval_unit", "total_periods", "period_count", "retry_count", "start_date", "anchor_at", "next_at", "metadata", "test", "created_at", "updated_at", "period_index", "attempts");
CREATE UNIQUE INDEX snapshot_subscriptions_key on snapshot_subscriptions (snapshot_id, id);
CREATE TABLE snapshot_plans (snapshot_id bigint not null, id integer, "merchant_id", "name", "description", "interval", "interval_unit", "prices", "setup_fees", "periods", "trial_length", "status", "created_at", "updated_at");
CREATE UNIQUE INDEX snapshot_plans_key on snapshot_plans (snapshot_id, id);
CREATE TABLE snapshot_webhooks (snapshot_id bigint not null, id integer, "transaction_id", "merchant_id", "type", "trigger", "url", "http_method", "data_format", "email", "response", "request_body", "delivery_id", "created_at");
CREATE UNIQUE INDEX snapshot_webhooks_key on snapshot_webhooks (snapshot_id, id);
CREATE TABLE snapshot_refunds (snapshot_id bigint not null, id integer, "transaction_id", "merchant_id", "amount", "reason", "ref", "created_at");
CREATE UNIQUE INDEX snapshot_refunds_key on snapshot_refunds (snapshot_id, id);
CREATE TABLE snapshot_captures (snapshot_id bigint not null, id integer, "transaction_id", "merchant_id", "amount", "created_at");
CREATE UNIQUE INDEX snapshot_captures_key on snapshot_captures (snapshot_id, id);
CREATE TABLE snapshot_pending_captures (snapshot_id bigint not null, id integer, "transaction_id", "merchant_id", "amount", "outcome", "answer_at");
CREATE UNIQUE INDEX snapshot_pending_captures_key on snapshot_pending_captures (snapshot_id, id);
CREATE TABLE snapshot_log_events (snapshot_id bigint not null, id integer, "transaction_id", "event_type", "data", "created_at");
CREATE UNIQUE INDEX snapshot_log_events_key on snapshot_log_events (snapshot_id, id);
CREATE TABLE snapshot_transactions (snapshot_id bigint not null, id integer, "merchant_id", "amount", "amount_text", "vat_amount", "currency", "payment_ref", "customer_ref", "customer_id", "stored_card_id", "subscription_id", "template_id", "card_holder", "card_number", "card_expiry", "card_type", "test", "authorize", "store_card", "status", "status_details", "error_name", "error_message", "transaction_type", "payment_method", "success_url", "error_url", "href_token", "attempt", "mpi_ref", "provider_ref", "request_hash", "org_auth_amount", "metadata", "items", "payment_details", "payment_request", "payment_response", "client", "plan_id", "start_date", "subscription_quantity", "subscription_items", "payment_link_id", "wallet_type", "currency_converter", "processed_at", "created_at", "updated_at", "version", "expires_at", "tries", "answer_by");
CREATE UNIQUE INDEX snapshot_transactions_key on snapshot_transactions (snapshot_id, id);
CREATE TABLE snapshot_payment_links (snapshot_id bigint not null, id integer, "merchant_id", "token", "amount", "currency", "payment_ref", "description", "plan_id", "test", "success_url", "error_url", "expires_at", "uses", "begun", "closed_at", "created_at", "updated_at");
CREATE UNIQUE INDEX snapshot_payment_links_key on snapshot_payment_links (snapshot_id, id);
CREATE TABLE snapshot_stored_cards (snapshot_id bigint not null, id integer, "merchant_id", "customer_id", "token", "card_holder", "card_number", "card_expiry", "card_type", "currency", "status", "expires", "ref", "test", "recurring", "transaction_id", "created_at", "updated_at");
CREATE UNIQUE INDEX snapshot_stored_cards_key on snapshot_stored_cards (snapshot_id, id);
CREATE TABLE snapshot_customers (snapshot_id bigint not null, id integer, "merchant_id", "ref", "metadata", "created_at", "updated_at");
CREATE UNIQUE INDEX snapshot_customers_key on snapshot_customers (snapshot_id, id);
CREATE INDEX requests_by_error on requests (merchant_id, error, method, route, created_at)
        where error is not null;
insert into kysely_migration_lock values ('migration_lock', 0);
insert into kysely_migration values ('0001-first-tables', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0002-previous-secrets', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0002-return-failures', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0003-row-counts', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0004-traceparent', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0005-random-seeds', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0006-snapshots', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0007-rows-in-one-piece', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
insert into kysely_migration values ('0008-rejected-requests', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
`
