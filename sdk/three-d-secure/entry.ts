import { Fault, type FaultDetails } from '../errors/faults.ts'
import { fieldValue, type Snapshot } from '../form/snapshot.ts'
import type { Settings } from '../settings/options.ts'

/**
 * Returns the address of the 3-D Secure entry; undefined if no authentication is needed. In form
 * mode the hosted flow authenticates, a prepared payment needs none, and a merchant without 3-D
 * Secure has no address.
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

/**
 * Returns an absolute address.
 * @param details facts of the fault
 * @throws Fault `config.url_invalid` if it is not an http(s) address
 */
export function httpAddress(address: string | undefined, details: FaultDetails): string {
  try {
    const url = new URL(address || '', address && document.baseURI)
    if (/^https?:$/.test(url.protocol)) return url.href
  } catch {
    // Not an address: refused below like every other scheme.
  }
  throw new Fault('config.url_invalid', details)
}
