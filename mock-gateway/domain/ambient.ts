/**
 * Clock and randomness, passed in so that tests and the movable clock control them (our decision).
 */
export interface Ambient {
  /** Epoch milliseconds UTC. */
  now(): number
  randomBytes(count: number): Uint8Array
}
