import type { ShopChecks } from '../../check/shop-checks.ts'
import type { KnownCalls } from '../../contract/known-calls.ts'
import type { Logger } from '../../domain/ambient.ts'
import type { ControlKey } from '../../merchants/control-key.ts'
import type { KnownMerchant } from '../../merchants/seed.ts'
import type { Sandbox } from '../../operations/operation.ts'
import type { ReadFindings } from '../../serializers/findings/read-findings.ts'
import type { ForcedResults } from '../../subscriptions/charge-now.ts'
import type { AskAs } from '../http/in-process.ts'
import type { KeptRequests } from '../http/kept-requests.ts'
import type { AddressOf, Assets } from '../pages/assets.ts'
import type { Audiences } from './live/audiences.ts'

export interface ConsoleDependencies extends Sandbox {
  /** Sends a request to this gateway as a client. */
  readonly ask: AskAs
  /** Checks of merchants' shops that the console starts. */
  readonly checks: ShopChecks
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
  readonly known: KnownMerchant | undefined
  readonly assets: Assets
  readonly assetAddresses: () => Promise<AddressOf>
  readonly logger: Logger
  readonly chosenResults: ForcedResults
  readonly keptRequests: KeptRequests
  readonly readFindings: ReadFindings
  readonly knownCalls: KnownCalls
  /** Subscribers of live updates. */
  readonly audiences: Audiences
}

/** Returns true if merchants may inject faults and reset their data. */
export const hasLocalSandbox = ({
  controlKey,
  isLocal,
}: Pick<ConsoleDependencies, 'controlKey' | 'isLocal'>): boolean =>
  controlKey !== undefined && isLocal
