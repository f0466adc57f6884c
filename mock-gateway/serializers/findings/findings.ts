import { isLongerThan } from '../../domain/characters.ts'
import { PAYMENT_REF_OF_PAGES } from '../../domain/identifiers.ts'
import { findFacts, listUnusedParameters } from '../../domain/notices.ts'
import { listUncoveredParts } from '../../domain/order/hash.ts'
import type { ReturnFailureRow } from '../../storage/tables/payment-parts.ts'
import type { Evidence, SeenDelivery, SeenRequest } from './evidence.ts'

/** One occurrence of a finding. */
interface FindingProof {
  readonly what: 'requests' | 'webhooks' | 'transactions'
  readonly id: string
  /** Epoch milliseconds by the merchant's clock. */
  readonly at: number
  /** Description of the occurrence. */
  readonly says: string
  readonly transactionId: number | null
}

/** A warning about accepted requests or webhooks that will cause problems later. */
export interface Finding extends FindingTexts {
  /** At least one, the newest first. */
  readonly proofs: readonly FindingProof[]
}

/** Texts of a finding, in sentences. */
interface FindingTexts {
  readonly name: string
  readonly title: string
  /** The problem it leads to. */
  readonly why: string
  /** The solution. */
  readonly mend: string
}

/** Milliseconds after which an answer to a webhook is slow (our decision). */
export const SLOW_WEBHOOK_MS = 5_000

/** Calls that a page of the shop makes from the payer's browser. */
const PAGE_CALLS = /^POST \/v1\/(?:transactions|form)$/

const createDeliveryProof = (
  { id, at, transactionId }: SeenDelivery,
  says: string,
): FindingProof => ({
  what: 'webhooks',
  id: String(id),
  at,
  says,
  transactionId,
})

/**
 * Rules for single requests: `says` describes the occurrence in a request. Only problems with
 * evidence are listed.
 */
const REQUEST_RULES: readonly (FindingTexts & {
  readonly says: (request: SeenRequest) => string | undefined
})[] = [
  {
    name: 'weak_hash',
    title: 'The hash does not cover everything',
    why: 'A payer can change what the hash leaves out: pay in another currency, or turn a live order into a test payment.',
    mend: 'Hash merchant_id + payment_ref + customer_ref + amount + currency + "test" (if test is true) + secret. The setting strict_hash rejects all other hashes.',
    says({ notices }) {
      const recipe = findFacts(notices, 'hash.recipe')?.recipe
      const open = recipe === undefined ? [] : listUncoveredParts(recipe)
      return open.length === 0
        ? undefined
        : `The recipe ${recipe} leaves out ${open.join(' and ')}.`
    },
  },
  {
    name: 'amount_spelling',
    title: 'The hashed amount differs from the amount sent',
    why: 'A JSON number loses its decimals, so 10.00 arrives as 10. A server that compares bytes rejects the hash.',
    mend: 'Send the amount as text with two decimals, exactly as hashed.',
    says: ({ notices, sent }) =>
      findFacts(notices, 'hash.amount_spelling')
        ? `The amount was sent as ${String(sent.amount)}.`
        : undefined,
  },
  {
    name: 'misplaced_card',
    title: 'A card number is in a field for other data',
    why: 'The gateway masked the number before storing it. Logs and databases of your shop may still contain it.',
    mend: 'Send card numbers only in card_number, and check where else your shop stores this field.',
    says: ({ notices }) =>
      findFacts(notices, 'card_number.misplaced')
        ? 'A card number in another field was masked.'
        : undefined,
  },
  {
    name: 'unused_parameter',
    title: 'A parameter is not used',
    why: 'The call may do something that you do not expect. For example, a misspelt test=true creates a live payment.',
    mend: 'Correct the name, or send the parameter with a call that uses it. Each request suggests a similar name.',
    says({ notices }) {
      const unused = listUnusedParameters(notices)
      return unused.length === 0
        ? undefined
        : `${unused.join(', ')} ${unused.length > 1 ? 'were' : 'was'} not used.`
    },
  },
  {
    name: 'long_payment_ref',
    title: 'A page sends a long payment_ref',
    why: `The documentation of the browser library allows ${PAYMENT_REF_OF_PAGES} characters. In test mode the library warns about longer ones.`,
    mend: `Use at most ${PAYMENT_REF_OF_PAGES} characters for orders that are paid on your own page.`,
    says: ({ call, sent: { payment_ref: ref }, loggedIn }) =>
      !loggedIn &&
      PAGE_CALLS.test(call) &&
      typeof ref === 'string' &&
      isLongerThan(ref, PAYMENT_REF_OF_PAGES)
        ? `payment_ref has ${[...ref].length} characters.`
        : undefined,
  },
]

/** A rule for deliveries, the newest first. */
interface DeliveryRule {
  readonly prove: (deliveries: readonly SeenDelivery[]) => readonly FindingProof[]
}

/** Rules for several deliveries: a single one may be harmless. */
const DELIVERY_RULES: readonly (FindingTexts & DeliveryRule)[] = [
  {
    name: 'same_place',
    title: 'One event is sent to the same address twice',
    why: 'The gateway calls both webhooks. A handler that does not ignore the second call fulfils the order twice.',
    mend: 'Register the address once, with the transaction or as a template. Or ignore webhooks for orders that are already fulfilled.',
    prove: (deliveries) =>
      [...Map.groupBy(deliveries, ({ eventId, url }) => `${eventId} ${url}`).values()].flatMap(
        (group) => {
          const [newest] = group
          const messages = new Map(group.map((each) => [each.messageId, each.trigger]))
          return !newest || newest.url === null || messages.size < 2
            ? []
            : [
                createDeliveryProof(
                  newest,
                  `${newest.url} receives the event as ${[...messages.values()].toSorted().join(' and ')}.`,
                ),
              ]
        },
      ),
  },
  {
    name: 'slow_webhook',
    title: 'Your shop answers a webhook slowly',
    why: 'Webhooks to one host are queued, so a slow answer delays later webhooks. A webhook without an answer fails.',
    mend: 'Answer status 200 as soon as you have stored the message, and do the work afterwards.',
    prove: (deliveries) =>
      deliveries
        .filter(({ longest }) => longest > SLOW_WEBHOOK_MS)
        .map((each) =>
          createDeliveryProof(each, `An attempt took ${(each.longest / 1000).toFixed(1)} seconds.`),
        ),
  },
]

/** Payers were sent to an address of the shop that accepted no connection. */
const LOST_PAYER: FindingTexts = {
  name: 'lost_payer',
  title: 'Payers are sent to an address that does not answer',
  why: 'After the payment, the gateway could not connect to this address. The payer sees an error of the browser instead of the shop.',
  mend: 'Correct the success_url or error_url, or start the server of the shop. Ignore this warning if payers can reach the address and only the gateway cannot.',
}

/** A finding's name with one occurrence. */
export interface ProvenFinding {
  /** Name of the finding. */
  readonly name: string
  readonly proof: FindingProof
}

/** Applies the rules to a request. */
export const findInRequest = (request: SeenRequest): readonly ProvenFinding[] =>
  REQUEST_RULES.flatMap(({ name, says }) => {
    const evidence = says(request)
    const { id, at, transactionId } = request
    return evidence === undefined
      ? []
      : [{ name, proof: { what: 'requests', id, at, says: evidence, transactionId } }]
  })

/** Applies the rules to deliveries. */
export const findInDeliveries = (deliveries: readonly SeenDelivery[]): readonly ProvenFinding[] =>
  DELIVERY_RULES.flatMap(({ name, prove }) => prove(deliveries).map((proof) => ({ name, proof })))

/** Turns failed returns into occurrences. */
export const findInReturnFailures = (
  failures: readonly ReturnFailureRow[],
): readonly ProvenFinding[] =>
  failures.map(({ transaction_id: transactionId, address, reason, created_at: at }) => ({
    name: LOST_PAYER.name,
    proof: {
      what: 'transactions',
      id: String(transactionId),
      at,
      says: `${address}: ${reason}`,
      transactionId,
    },
  }))

/**
 * Groups occurrences into findings, in the order of the rules. @param shown the newest of each
 * finding first
 */
export function collectFindings(shown: readonly ProvenFinding[]): readonly Finding[] {
  const by = Map.groupBy(shown, ({ name }) => name)
  return [...REQUEST_RULES, LOST_PAYER, ...DELIVERY_RULES].flatMap(({ name, title, why, mend }) => {
    const proofs = by.get(name)?.map(({ proof }) => proof)
    return proofs ? [{ name, title, why, mend, proofs }] : []
  })
}

/** Finds all findings in the evidence. */
export const findFindings = ({
  requests,
  deliveries,
  returnFailures,
}: Evidence): readonly Finding[] =>
  collectFindings([
    ...requests.flatMap(findInRequest),
    ...findInReturnFailures(returnFailures),
    ...findInDeliveries(deliveries),
  ])
