import type { Ambient } from '../domain/ambient.ts'
import type { Database } from '../storage/database.ts'

/** What every use case of this folder works with. */
export interface Billing {
  readonly database: Database
  readonly ambient: Ambient
}
