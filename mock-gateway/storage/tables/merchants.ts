import type { ColumnType, Insertable, Selectable } from 'kysely'
import { type GivenSettings, type MerchantSettings, readSettings } from '../../domain/merchant.ts'
import type { WebhookOverrides } from '../../domain/webhook/template.ts'
import { JSON_TEXT, tableCodec } from './codec.ts'
import { filledIn, id, json, moment, nullable, primary, type TableOf, text } from './columns.ts'

export const merchantColumns = {
  id: primary(id()),
  name: text(),
  /** See merchants/password.ts. */
  password_hash: text(),
  /**
   * Secret of the request hash. It is not stored as a digest, because the hash is MD5 over it
   * (specification: Authentication). Encrypted if there is a secrets key.
   */
  secret: text(),
  /** PEM, sealed as the secret. */
  private_key: nullable(text()),
  public_key: nullable(text()),
  /** As set: missing settings get their defaults when they are read. */
  settings: json<MerchantSettings>(),
  /**
   * Settings that were changed while the gateway runs; the start-up configuration wins over them.
   * They are in `settings` too.
   */
  setting_changes: filledIn(json<GivenSettings>(), "'{}'"),
  /** Made while the gateway runs; the settings come with every start. */
  webhook_overrides: filledIn(json<WebhookOverrides>(), "'{}'"),
  /** The secret that a rotation replaced, sealed as the secret; null before the first rotation. */
  previous_secret: filledIn(nullable(text())),
  /** Epoch milliseconds: end of the previous secret's validity. */
  previous_secret_until: filledIn(nullable(moment())),
  /** The password that a rotation replaced, hashed as `password_hash`. */
  previous_password_hash: filledIn(nullable(text())),
  /** Epoch milliseconds: end of the previous password's validity. */
  previous_password_until: filledIn(nullable(moment())),
  created_at: moment(),
  updated_at: moment(),
}

export type MerchantTable = Omit<TableOf<typeof merchantColumns>, 'settings'> & {
  settings: ColumnType<MerchantSettings, GivenSettings, GivenSettings>
}

export type MerchantRow = Selectable<MerchantTable>
export type NewMerchantRow = Insertable<MerchantTable>

export const merchantCodec = tableCodec<MerchantTable>({
  setting_changes: JSON_TEXT,
  settings: { encode: JSON_TEXT.encode, decode: readSettings },
  webhook_overrides: JSON_TEXT,
})
