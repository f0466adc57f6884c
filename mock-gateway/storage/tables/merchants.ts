import type { ColumnType, Insertable, Selectable } from 'kysely'
import { type GivenSettings, type MerchantSettings, readSettings } from '../../domain/merchant.ts'
import type { WebhookOverrides } from '../../domain/webhook/template.ts'
import { JSON_TEXT, tableCodec } from './codec.ts'

export interface MerchantTable {
  id: number
  name: string
  /** See merchants/password.ts. */
  password_hash: string
  /**
   * Secret of the request hash. It is not stored as a digest, because the hash is MD5 over it
   * (specification: Authentication). Encrypted if there is a secrets key.
   */
  secret: string
  /** PEM, sealed as the secret. */
  private_key: string | null
  public_key: string | null
  /** As set: missing settings get their defaults when they are read. */
  settings: ColumnType<MerchantSettings, GivenSettings, GivenSettings>
  /**
   * Settings that were changed while the gateway runs; the start-up configuration wins over them.
   * They are in `settings` too.
   */
  setting_changes: ColumnType<GivenSettings, GivenSettings | undefined, GivenSettings>
  /** Made while the gateway runs; the settings come with every start. */
  webhook_overrides: ColumnType<WebhookOverrides, WebhookOverrides | undefined, WebhookOverrides>
  /** The secret that a rotation replaced, sealed as the secret; null before the first rotation. */
  previous_secret: OptionalColumn<string>
  /** Epoch milliseconds: end of the previous secret's validity. */
  previous_secret_until: OptionalColumn<number>
  /** The password that a rotation replaced, hashed as `password_hash`. */
  previous_password_hash: OptionalColumn<string>
  /** Epoch milliseconds: end of the previous password's validity. */
  previous_password_until: OptionalColumn<number>
  created_at: number
  updated_at: number
}

/** A column that a new row may leave out. */
type OptionalColumn<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

export type MerchantRow = Selectable<MerchantTable>
export type NewMerchantRow = Insertable<MerchantTable>

export const merchantCodec = tableCodec<MerchantTable>({
  setting_changes: JSON_TEXT,
  settings: { encode: JSON_TEXT.encode, decode: readSettings },
  webhook_overrides: JSON_TEXT,
})
