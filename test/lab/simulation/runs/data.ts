import type { Rates } from '../faults/rates.ts'
import type { Chance } from './chance.ts'
import type { Scheduler } from './scheduler.ts'

/** Row of a query result. */
export type Row = Readonly<Record<string, number | string | null>>

/** Store that gateways share. A part of its data survives a power loss. */
export interface Store {
  /** Returns the database argument of `createGateway`. It changes after each power loss. */
  target(): string
  /** Reads committed data directly from the database. */
  rows(statement: string): readonly Row[]
  /**
   * Returns a text that changes with each commit. While it is the same, earlier reads are still
   * valid.
   */
  version(): string
  /**
   * Loses all unflushed data. After that nothing writes to the old store; the next gateway opens
   * the new target.
   */
  losePower(): void
  remove(): void
}

/** Parts of the run that the connection between gateways and database uses. */
export interface WireParts {
  readonly scheduler: Scheduler
  readonly chance: Chance
  /** Returns the current rates of faults. All are 0 after `heal`. */
  readonly rates: () => Rates
  /** Called with the fault that was injected into a query. */
  readonly onFault: (what: string) => void
}

/** Database of one run. */
export interface Data {
  readonly store: Store
  /**
   * Routes queries through these parts.
   * @returns a function that resolves when simulated time can continue; with SQLite it returns
   *   undefined
   */
  lay(parts: WireParts): () => Promise<void> | undefined
  /** Milliseconds after which all leases of dead gateways have ended. */
  readonly leaseMs: number
  /** Returns true if an error follows from a fault that was injected into a query. */
  isInjected(error: Error): boolean
}
