import { Fault, type FaultDetails } from '../errors/faults.ts'
import { fieldValue, type Snapshot } from '../form/snapshot.ts'
import type { Settings } from '../settings/options.ts'

/**
 * Where the payer's bank can see the payer; undefined when nobody asks it. In form mode the hosted
 * flow does, a payment that is only prepared needs none, and a merchant without 3-D Secure has no
 * address.
 * @throws Fault `config.url_invalid`
 */
export function mpiAddress(
  settings: Settings,
  snapshot: Snapshot,
  served: string | undefined,
): string | undefined {
  const address = settings.mpiUrl ?? served
  const isWanted =
    settings.type === 'ajax' && settings.mpi && fieldValue(snapshot, 'process') !== 'false'
  return isWanted && address ? httpAddress(address, { why: 'mpi' }) : undefined
}

/** An absolute address.
 * @param details what the fault says
 * @throws Fault `config.url_invalid` for what is no http(s) address */
export function httpAddress(address: string | undefined, details: FaultDetails): string {
  try {
    const url = new URL(address || '', address && document.baseURI)
    if (/^https?:$/.test(url.protocol)) return url.href
  } catch {
    // Not an address: refused below like every other scheme.
  }
  throw new Fault('config.url_invalid', details)
}
