/** Time and chance, passed in so that tests and the movable clock decide them (our decision). */
export interface Ambient {
  /** Epoch milliseconds UTC. */
  now(): number
  randomBytes(count: number): Uint8Array
}
