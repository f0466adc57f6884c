import type { Chance } from '../runs/chance.ts'

/** Probability of each fault at each opportunity. */
export interface Rates {
  /** A query waits, so that other queries run in between. */
  readonly queryWaits: number
  /** A write finds the database locked when it starts, or PostgreSQL refuses a connection. */
  readonly databaseBusy: number
  /**
   * A query fails without an effect. With PostgreSQL, the connection is cut before the query or
   * after it.
   */
  readonly queryFails: number
  /** A commit succeeds, and its answer is lost. */
  readonly commitLost: number
  /** A client's request never arrives. */
  readonly requestLost: number
  /** A client's request is carried out, and its answer is lost. */
  readonly answerLost: number
  /** A shop rejects a webhook permanently. */
  readonly webhookRefused: number
  /** A shop answers a webhook with status 500. */
  readonly webhookFails: number
  /** A shop delays its answer to a webhook by seconds. */
  readonly webhookWaits: number
  /** A webhook arrives, and its connection is cut before the answer. */
  readonly webhookCut: number
  /** The mail server rejects a mail. */
  readonly mailRefused: number
  /** The mail server delays its answer by seconds. */
  readonly mailWaits: number
  /** The mail server accepts a mail, and the connection is cut before its answer. */
  readonly mailCut: number
  /** The machine's clock jumps by minutes. */
  readonly clockJumps: number
  /** A gateway is killed. */
  readonly gatewayKilled: number
  /** The machine loses power: every gateway ends, and unflushed data are lost. */
  readonly powerLost: number
}

export const NO_FAULTS: Rates = {
  queryWaits: 0,
  databaseBusy: 0,
  queryFails: 0,
  commitLost: 0,
  requestLost: 0,
  answerLost: 0,
  webhookRefused: 0,
  webhookFails: 0,
  webhookWaits: 0,
  webhookCut: 0,
  mailRefused: 0,
  mailWaits: 0,
  mailCut: 0,
  clockJumps: 0,
  gatewayKilled: 0,
  powerLost: 0,
}

/**
 * Highest probability of each fault in a run. The last three faults have an opportunity at each
 * turn of a client.
 */
const MAX_RATES: Rates = {
  queryWaits: 0.6,
  databaseBusy: 0.05,
  queryFails: 0.01,
  commitLost: 0.02,
  requestLost: 0.05,
  answerLost: 0.1,
  webhookRefused: 0.1,
  webhookFails: 0.3,
  webhookWaits: 0.3,
  webhookCut: 0.1,
  mailRefused: 0.2,
  mailWaits: 0.3,
  mailCut: 0.1,
  clockJumps: 0.02,
  gatewayKilled: 0.05,
  powerLost: 0.02,
}

/**
 * Draws the rates of a run. Half of all faults are left out, so that they do not hide the effects
 * of others. In one of three runs, queries only wait.
 */
export function drawRates(chance: Chance): Rates {
  if (chance.happens(1 / 3)) return { ...NO_FAULTS, queryWaits: MAX_RATES.queryWaits }
  const drawn = Object.entries(MAX_RATES).map(([name, most]) => [
    name,
    chance.happens(0.5) ? Math.round(most * chance.below(1000)) / 1000 : 0,
  ])
  return { ...NO_FAULTS, ...Object.fromEntries(drawn) }
}

/** Draws a wait in milliseconds by weights. */
export function drawWait(chance: Chance, weights: Readonly<Record<string, number>>): number {
  const most = Number(chance.weighed(weights))
  return 1 + chance.below(most)
}
