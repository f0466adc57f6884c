import { checkAnswer, readAnswer } from '../../../helpers/contract.ts'
import type { Answered, Sent } from '../runs/gateways.ts'
import { Ledger } from './ledger.ts'
import { mayFollow, STORED_RULES } from './stored.ts'
import { holdCharges } from './subscriptions.ts'
import { createWebhookModel, type Watching } from './webhooks.ts'

export type Model = ReturnType<typeof createModel>

/** Addresses that pages use among themselves, which are not in the contract. */
const OWN_WAYS = /^\/v1\/(?:mpi_js\/return|form\/[^/]+\/result)/

/**
 * Creates the model that checks a run. It observes from outside, and shares no code with the
 * gateway.
 */
export function createModel(parts: Watching) {
  const { store, fail } = parts
  const statuses = new Map<number, string>()
  let held: string | undefined

  /** Runs after every answer that a client receives. */
  function answered({ method, path }: Sent, { status, headers, text }: Answered) {
    try {
      if (!OWN_WAYS.test(path))
        checkAnswer(method, path, status, headers, readAnswer(headers, text))
    } catch (error) {
      fail('contract', (error as Error).message)
    }
    if (status >= 500 && status !== 503)
      fail('contract', `${method} ${path} answered ${status}: ${text}`)
    step()
  }

  /** Checks the rules for stored data if the data have changed. */
  function step() {
    const version = store.version()
    if (version === held) return
    held = version
    for (const [rule, { statement, says }] of Object.entries(STORED_RULES)) {
      const [row] = store.rows(statement)
      if (row) fail(rule, says(row))
    }
    holdCharges(store, fail)
    for (const { id, status } of store.rows('select id, status from transactions')) {
      const before = statuses.get(Number(id))
      if (before !== undefined && !mayFollow(before, String(status)))
        fail('states', `transaction ${id} was ${before} and is ${status}`)
      statuses.set(Number(id), String(status))
    }
  }

  /** Running clock moves, and whether another move ran at the same time. */
  const moves = new Map<symbol, 'alone' | 'met'>()

  return { ledger: new Ledger(), moves, webhooks: createWebhookModel(parts), answered, step }
}
