import type { ShopChecks } from '../../check/shop-checks.ts'
import type { KnownCalls } from '../../contract/known-calls.ts'
import type { Addresses } from '../../domain/addresses.ts'
import type { RandomSource } from '../../domain/chance.ts'
import type { Logger } from '../../domain/logger.ts'
import type { MerchantsDependencies } from '../../merchants/administer.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { ControlKey } from '../../merchants/control-key.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import type { Sessions } from '../../merchants/sessions.ts'
import type { Scheduler } from '../../scheduler/scheduler.ts'
import type { ReadFindings } from '../../serializers/findings/read-findings.ts'
import type { Database } from '../../storage/database.ts'
import type { NextOutcomes } from '../../storage/next-outcomes.ts'
import type { ForcedResults } from '../../subscriptions/chosen-results.ts'
import type { Templates } from '../../templates/templates.ts'
import type { AdministerDependencies } from '../../webhooks/administer.ts'
import type { AskAs } from '../http/ask-as.ts'
import type { Faults } from '../http/faults.ts'
import type { KeptRequests } from '../http/kept-requests.ts'
import type { AddressOf, Assets } from '../pages/assets.ts'
import type { Audiences } from './live/audiences.ts'

/** Dependencies of the console. */
export interface ConsoleDependencies extends MerchantsDependencies {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  /** Sends a request to this gateway as a client. */
  readonly ask: AskAs
  /** Checks of merchants' shops that the console starts. */
  readonly checks: ShopChecks
  readonly sessions: Sessions
  readonly keys: KeyRing
  /** Path of the built browser library. */
  readonly library: string
  /** Grants the administrator's access; undefined: there is no administrator. */
  readonly controlKey: ControlKey | undefined
  /**
   * True if only this machine reaches the gateway: then merchants may inject faults and reset their
   * data.
   */
  readonly isLocal: boolean
  /** The merchant with the default password; undefined if there is none. */
  readonly known: { readonly id: number; readonly password: string } | undefined
  readonly assets: Assets
  readonly assetAddresses: () => Promise<AddressOf>
  readonly logger: Logger
  readonly database: Database
  readonly timeline: Scheduler
  readonly chosenResults: ForcedResults
  readonly nextOutcomes: NextOutcomes
  readonly chance: RandomSource
  readonly faults: Faults
  readonly keptRequests: KeptRequests
  readonly readFindings: ReadFindings
  readonly knownCalls: KnownCalls
  readonly templates: Templates
  readonly webhooks: AdministerDependencies
  /** Subscribers of live updates. */
  readonly audiences: Audiences
}
