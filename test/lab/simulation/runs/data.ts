import type { Rates } from '../faults/rates.ts'
import type { Chance } from './chance.ts'
import type { Scheduler } from './scheduler.ts'

/** A row as SQL gives it. */
export type Row = Readonly<Record<string, number | string | null>>

/** Data that gateways share, and the part of it that survives a power loss. */
export interface Store {
  /** As `createGateway` takes it; another after each loss of power. */
  target(): string
  /** Reads committed data directly from the database. */
  rows(statement: string): readonly Row[]
  /** Changes with each commit: until then, earlier reads are still valid. */
  version(): string
  /**
   * Loses all unflushed data. After that nothing writes to the old store; the next gateway opens
   * the new target.
   */
  losePower(): void
  remove(): void
}

/** The parts between gateways and their database. */
export interface WireParts {
  readonly scheduler: Scheduler
  readonly chance: Chance
  /** Current rates of faults; none after `heal`. */
  readonly rates: () => Rates
  /** Is called with the fault that was injected into a query. */
  readonly onFault: (what: string) => void
}

/** A database for one run. */
export interface Data {
  readonly store: Store
  /**
   * Routes queries through these parts.
   * @returns a function that resolves when time can continue; with SQLite there is nothing to wait
   * for
   */
  lay(parts: WireParts): () => Promise<void> | undefined
  /** Milliseconds after which all leases of dead gateways have ended. */
  readonly leaseMs: number
  /** True if an error follows from a fault that was injected into a query. */
  isInjected(error: Error): boolean
}
