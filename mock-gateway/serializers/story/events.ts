import { findEntryByName } from '../../domain/errors/errors.ts'
import type { LogEventRow } from '../../storage/tables/payment-parts.ts'
import { createEntry, listDetails, type StoryArrow, type StoryEntry } from './entries.ts'

/** Kind and title of each log event; events without a row use their name. */
const EVENT_TITLES: Readonly<Record<string, readonly [kind: StoryEntry['kind'], title: string]>> = {
  created: ['payment', 'The payment was created'],
  updated: ['payment', 'The payment was changed'],
  charged: ['bank', 'The bank was asked'],
  credit_checked: ['bank', 'A credit check was requested'],
  started: ['bank', 'The payer was asked to pay'],
  challenged: ['3-D Secure', 'The payment is waiting for 3-D Secure'],
  authenticated: ['3-D Secure', '3-D Secure has a result'],
  authentication_refused: ['3-D Secure', 'An answer to 3-D Secure was rejected'],
  soft_declined: ['bank', 'The bank requires 3-D Secure first'],
  gave_way: ['payment', 'A new attempt of the payer replaced the payment'],
  rules_matched: ['payment', 'Rules of the merchant matched'],
  fraud_checked: ['payment', 'The fraud check gave a score'],
  card_stored: ['payment', 'The card was stored'],
  not_stored: ['payment', 'The card was not stored'],
  not_subscribed: ['payment', 'No subscription was created'],
  capture_sent: ['bank', 'The capture was sent to the bank'],
  capture_failed: ['bank', 'The bank did not confirm the capture'],
  captured: ['payment', 'The amount was captured'],
  refunded: ['payment', 'The payment was refunded'],
  expired: ['payment', 'The payment page expired'],
  card_removed: ['payment', 'The payer removed a stored card'],
  weak_hash: ['payment', 'The hash does not cover everything'],
  template_failed: ['payment', "The merchant's page or return address failed"],
  left_out: ['payment', 'Some events are left out'],
}

/**
 * The arrow of an event between the gateway and another participant; events without one are inside
 * the gateway.
 */
const ARROWS: Readonly<Record<string, Pick<StoryArrow, 'from' | 'to' | 'label'>>> = {
  charged: { from: 'gateway', to: 'bank', label: 'Requests the payment' },
  credit_checked: { from: 'gateway', to: 'bank', label: 'Requests a credit check' },
  started: { from: 'gateway', to: 'payer', label: 'Asks the payer to pay' },
  challenged: { from: 'gateway', to: 'payer', label: 'Sends the payer to the bank' },
  soft_declined: { from: 'bank', to: 'gateway', label: 'Requires 3-D Secure first' },
  captured: { from: 'gateway', to: 'bank', label: 'Captures' },
  capture_sent: { from: 'gateway', to: 'bank', label: 'Requests the capture' },
  capture_failed: { from: 'bank', to: 'gateway', label: 'Fails the capture' },
  refunded: { from: 'gateway', to: 'bank', label: 'Refunds' },
}

/** Labels of a bank's answer, by the status that followed. */
const ANSWERS: Readonly<Record<string, string>> = {
  approved: 'Approved by the bank',
  authorized: 'Authorized by the bank',
  declined: 'Declined by the bank',
  failed: 'The payment failed',
}

/** Events that ask the bank or the payer for the money, or answer that. */
const AUTHORISATIONS: readonly string[] = ['charged', 'credit_checked', 'started', 'soft_declined']

/** Events that only repeat the arrows next to them. */
const MINOR_EVENTS: readonly string[] = ['created', 'updated', 'authenticated']

/**
 * @param explain explanation of the request that caused the event, or the reason for it
 * @param currency of the payment
 */
export function createStatusEntry(
  { created_at, event_type, data }: LogEventRow,
  explain: string | null,
  currency: string,
): StoryEntry {
  const { event, status, error, ...facts } = data
  const name = typeof event === 'string' ? event : event_type
  const [kind, title] = EVENT_TITLES[name] ?? ['payment', name.replaceAll('_', ' ')]
  const entry = typeof error === 'string' ? findEntryByName(error) : undefined
  const why =
    entry && [`Error ${entry.code}, ${entry.name}: ${entry.en}.`, explain].filter(Boolean).join(' ')
  const answer = name === 'charged' && typeof status === 'string' ? ANSWERS[status] : undefined
  const arrow = ARROWS[name]
  const amount =
    typeof facts.amount === 'string' ? `${facts.amount} ${currency.toUpperCase()}` : null
  const result = answer ? String(status) : amount
  return {
    ...createEntry(
      created_at,
      kind,
      answer ?? (typeof status === 'string' ? `${title}: ${status}` : title),
      chooseTone(entry, status),
    ),
    says: why ?? (name === 'refunded' ? explain : null),
    details: listDetails(facts),
    ...(arrow && {
      arrow: { ...arrow, result: entry && answer ? `${result}, error ${entry.code}` : result },
    }),
    ...(AUTHORISATIONS.includes(name) && { phase: 'Authorisation' }),
    ...(kind === '3-D Secure' && { phase: kind }),
    ...(name === 'refunded' && { phase: 'Refund' }),
    ...(MINOR_EVENTS.includes(name) && { isPlumbing: true }),
  }
}

const chooseTone = (entry: object | undefined, status: unknown): StoryEntry['tone'] => {
  if (entry) return 'bad'
  return status === '3ds pending' || status === 'pending' ? 'waiting' : 'good'
}
