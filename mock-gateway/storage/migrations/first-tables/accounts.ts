import type { Tables } from '../tables.ts'

/** Merchants, console sessions and failed logins. */
export const accounts: Tables = () => ({
  columns: {
    merchants: `
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
      webhook_overrides text not null default '{}'`,
    login_failures: `
      username text primary key,
      failures integer not null,
      locked_until bigint,
      updated_at bigint not null`,
    // Only a digest of a token is stored, and a digest of the password or key that created the
    // session.
    console_sessions: `
      token_hash text primary key,
      merchant_id bigint references merchants (id),
      proof text not null,
      expires_at bigint not null`,
    // Templates of merchant 0 are for every merchant, so there is no foreign key.
    templates: `
      merchant_id bigint not null,
      id bigint not null,
      name text not null,
      kind text not null,
      source text not null,
      prepared text not null,
      created_at bigint not null,
      updated_at bigint not null,
      constraint templates_key primary key (merchant_id, id)`,
  },
  indexes: [],
})
