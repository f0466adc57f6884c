import { type Authorization, createProviderRef } from '../../acquirer/authorization.ts'
import { isImmediate } from '../../acquirer/three-d-secure/plan.ts'
import {
  type AuthenticationFacts,
  createAuthenticationFacts,
  createServerIds,
  findRefusal,
  type UnavailablePolicy,
} from '../../acquirer/three-d-secure/verdict.ts'
import type { ChargedCard } from '../../cards/payment-card.ts'
import type {
  AuthenticationPlan,
  FinalAuthenticationResult,
} from '../../domain/card/three-d-secure.ts'
import { GatewayError, getEntryByKey } from '../../domain/errors/errors.ts'
import { createHrefToken, createStoredCardToken } from '../../domain/identifiers.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PaymentEvent } from '../../outbox/payment-events.ts'
import { insertRow, updateRows } from '../../storage/rows.ts'
import type {
  AuthenticationRow,
  NewAuthenticationRow,
} from '../../storage/tables/authentications.ts'
import type { TransactionChanges, TransactionRow } from '../../storage/tables/transactions.ts'
import type { Work } from '../../work/work.ts'

/** Time limit for the payer on the bank's page, in milliseconds. */
export const CHALLENGE_MS = 10 * 60_000

/** Authentication of a payment's payer. */
export interface Authentication {
  /** Null while it is open. */
  readonly outcome: {
    readonly ref: string
    readonly facts: AuthenticationFacts
    readonly providerRef?: string
  } | null
  readonly events: readonly PaymentEvent[]
  /**
   * Stores the authentication after its transaction; undefined if it is stored. @throws
   * errors.mpi.invalid (1690) when another payment was first
   */
  keep?(work: Work, row: TransactionRow, storingFails: boolean): Promise<unknown>
}

/**
 * Creates the columns of an authentication, other than its subject: open, or already ended if there
 * is no challenge.
 */
export function createAuthentication(
  { merchant, now, randomBytes }: Work,
  plan: AuthenticationPlan,
  card: ChargedCard,
) {
  const answerAt = plan.flow === 'frictionless' ? now + plan.delaySeconds * 1000 : null
  return {
    merchant_id: merchant.id,
    ref: createStoredCardToken(randomBytes),
    token: createHrefToken(randomBytes, now),
    key: Buffer.from(randomBytes(32)).toString('hex'),
    plan,
    ids: createServerIds(randomBytes),
    brand: card.brand,
    card_number: card.maskedNumber,
    provider_ref: createProviderRef(randomBytes),
    status: isImmediate(plan) ? 'done' : 'open',
    result: isImmediate(plan) ? plan.result : null,
    answer: answerAt === null ? null : plan.result,
    answer_at: answerAt,
    opened_at: null,
    page: null,
    steps: [],
    wrong_codes: 0,
    new_codes: 0,
    extensions: 0,
    refused_answers: 0,
    expires_at: now + CHALLENGE_MS,
    created_at: now,
    updated_at: now,
  } satisfies Partial<NewAuthenticationRow>
}

type EndedAuthentication = Pick<AuthenticationRow, 'plan' | 'brand' | 'ids' | 'ref' | 'key'>

/** Returns the facts of an ended authentication. */
export const readFacts = (row: EndedAuthentication, result: FinalAuthenticationResult) =>
  createAuthenticationFacts({ ...row, result })

/**
 * Creates the authentication that an answer of the bank requires or contains; undefined if there is
 * none.
 * @param form true if the payer sent the payment from the payment page or a form
 */
export function beginAuthentication(
  work: Work,
  answer: Authorization,
  card: ChargedCard | undefined,
  form: boolean,
): Authentication | undefined {
  const plan = 'authentication' in answer ? answer.authentication : undefined
  if (plan === undefined || card === undefined) return undefined
  const started = createAuthentication(work, plan, card)
  const word = answer.kind === 'challenge' ? answer.word : null
  return {
    ...(isImmediate(plan)
      ? describeEndedAuthentication(
          started,
          plan.result,
          work.merchant.settings.three_d_secure_unavailable,
        )
      : { outcome: null, events: createSoftDecline(started, plan) }),
    keep: ({ queries }, row, storingFails) =>
      insertRow(queries, 'authentications', {
        ...started,
        ...createPaymentColumns(row),
        word,
        storing_fails: storingFails,
        form,
        ...(word?.kind === 'approved' ? { provider_ref: word.providerRef } : {}),
      }),
  }
}

/**
 * Returns the authentication that the browser library ran before, for this card.
 * @throws errors.mpi.invalid (1690) if it was for another card
 */
export function readEarlierAuthentication(
  row: AuthenticationRow,
  card: ChargedCard | undefined,
): Authentication {
  if (card?.maskedNumber !== row.card_number || row.result === null)
    throw new GatewayError('errors.mpi.invalid', {
      explain: 'ref belongs to the authentication of another card.',
    })
  const { outcome, events } = describeEndedAuthentication(row, row.result)
  return {
    outcome: { ...outcome, providerRef: row.provider_ref },
    events,
    async keep({ queries }, { id }) {
      const free = { id: row.id, transaction_id: null }
      const claimed = await updateRows(queries, 'authentications', free, { transaction_id: id })
      if (claimed.length === 0)
        throw new GatewayError('errors.mpi.invalid', {
          explain: 'This ref was used for another payment. Authenticate the payer again.',
        })
    },
  }
}

/**
 * Returns the columns of the transaction and the log entry for an authentication that has ended.
 */
export function describeEndedAuthentication(
  row: EndedAuthentication,
  result: FinalAuthenticationResult,
  unavailable: UnavailablePolicy = 'accept',
): {
  readonly outcome: NonNullable<Authentication['outcome']>
  readonly events: readonly [PaymentEvent]
} {
  const facts = readFacts(row, result)
  const refusal = findRefusal(result, unavailable)
  return {
    outcome: { ref: row.ref, facts },
    events: [
      {
        event: 'authenticated',
        mpi_ref: row.ref,
        three_d_secure: facts,
        ...(refusal ? { error: getEntryByKey(refusal.error).name } : {}),
      },
    ],
  }
}

/**
 * The bank of a soft decline: it accepted without a challenge, then declined the payment and
 * demands one.
 */
const createSoftDecline = (
  started: EndedAuthentication,
  plan: AuthenticationPlan,
): readonly PaymentEvent[] =>
  plan.softDecline
    ? [
        ...describeEndedAuthentication({ ...started, plan: { ...plan, flow: 'frictionless' } }, 'Y')
          .events,
        { event: 'soft_declined' },
      ]
    : []

/**
 * Returns a transaction's columns with the result of 3-D Secure; they replace the result of an
 * earlier attempt.
 */
export function addAuthentication(
  columns: TransactionChanges,
  authentication: Pick<Authentication, 'outcome'> | undefined,
): TransactionChanges {
  const outcome = authentication?.outcome
  if (!outcome) return { ...columns, mpi_ref: null }
  const { ref, facts, providerRef } = outcome
  const response = columns.payment_response as JsonObject | null
  const own = providerRef !== undefined && columns.provider_ref ? { provider_ref: providerRef } : {}
  return {
    ...columns,
    ...own,
    mpi_ref: ref,
    payment_response: { ...response, ...own, three_d_secure: facts as unknown as JsonObject },
  }
}

const createPaymentColumns = (row: TransactionRow) => ({
  transaction_id: row.id,
  nonce: null,
  origin: null,
  request_hash: null,
  locale: typeof row.payment_request.locale === 'string' ? row.payment_request.locale : null,
  payment_ref: row.payment_ref,
  amount_text: row.amount_text,
  currency: row.currency,
  test: row.test,
})
