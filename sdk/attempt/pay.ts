import { isReadAlong, tell } from '../advice/tell.ts'
import { createRefusalError } from '../errors/error.ts'
import { asFault, Fault, reportFault } from '../errors/faults.ts'
import { move, snapshotForm, succeed } from '../form/mounted.ts'
import { validate } from '../form/rules.ts'
import { parseJson } from '../json.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../soon.ts'
import type { Attempt, Bank, Payload } from '../state.ts'
import { createBank } from '../three-d-secure/bank.ts'
import type { ServedConfig, Timeouts } from '../types.ts'
import { exchange } from './exchange.ts'
import { prepare } from './prepare.ts'
import { end, failWith, lock, step } from './running.ts'
import { deliver, leave, whenSettled } from './send.ts'
import { askStatus, type Refusal, type Verdict } from './verdict.ts'

/** The service's error name for values it cannot decrypt (197). */
const KEY_IS_OLD = 'errors.decryption.failed'

/** Runs a payment: encrypts, authenticates the payer, sends the payment, and reports the result. */
export const pay = (attempt: Attempt): void =>
  step(attempt, encrypt, (_attempt, sealed) => {
    attempt.keyOf = sealed.keyOf
    step(
      attempt,
      () => authenticate(attempt, sealed),
      (_attempt, ready) =>
        'kind' in ready
          ? settle(attempt, ready)
          : step(attempt, () => send(attempt, ready), settle),
    )
  })

/**
 * Reads the form, checks it and encrypts the annotated inputs.
 * @throws Fault of the categories integration, validation and crypto
 */
function encrypt(attempt: Attempt): Payload {
  const { mounted, settings, submitter } = attempt
  const snapshot = snapshotForm(mounted, settings, submitter)
  validate(attempt, snapshot)
  move(mounted, 'encrypting')
  return prepare(attempt, snapshot)
}

/**
 * Creates a connection to the payer's bank.
 * @param mayOpen true in the stack of the payer's click, in which browsers let a page open one
 *   window
 */
export function goToBank(attempt: Attempt, mayOpen: boolean): Bank {
  const fresh = createBank(attempt, mayOpen)
  attempt.scope.add(() => fresh.close('aborted'))
  attempt.bank = fresh
  return fresh
}

/**
 * Authenticates the payer at the bank, which adds fields to the payload.
 * @returns the payment to send, or the service's rejection
 * @throws Fault of the category mpi
 */
function authenticate(attempt: Attempt, payload: Payload): MaybePromise<Payload | Verdict> {
  const { bank, isRenewed, settings } = attempt
  if (payload.mpiUrl && settings.mpiOpen === 'eager')
    return (bank || goToBank(attempt, !isRenewed)).ask(payload)
  bank?.close('aborted')
  return payload
}

/**
 * Sends the payment.
 * @returns undefined if the page is still there after its post and may retry
 * @throws Fault of the categories network and api
 */
function send(attempt: Attempt, payload: Payload): Promise<Verdict | undefined> {
  const { mounted, scope, settings } = attempt
  lock(attempt)
  move(mounted, 'sending')
  return new Promise((resolve) => {
    step(attempt, () => {
      attempt.sent = payload
      const { timeouts } = settings
      resolve(
        payload.isForm
          ? leave(payload, mounted.form, timeouts, scope)
          : deliver(payload, timeouts, scope),
      )
    })
  })
}

const ask = ({ sent, settings, scope }: Attempt) =>
  askStatus(sent?.statusUrl, settings.timeouts, scope)

/**
 * Continues on a page that was frozen during the attempt: its request is lost, but the payment may
 * have been made.
 * @throws Fault `network.unreachable`
 */
export async function resumeAttempt(attempt: Attempt): Promise<Verdict | undefined> {
  const found = await ask(attempt)
  const { sent } = attempt
  if (sent?.isForm) return whenSettled(found)
  if (typeof found === 'object') return found
  if (found || !sent) return undefined
  throw new Fault('network.unreachable', { why: 'left', outcome: 'unknown' })
}

/**
 * Reports the payment's result to the page.
 * @throws Fault `api.pending`
 */
export function settle(attempt: Attempt, verdict: Verdict | undefined): void {
  const { keyOf, sent } = attempt
  if (!verdict) return void end(attempt, 'idle')
  if (verdict.kind === 'refused') {
    if (keyOf && !attempt.isRenewed && verdict.error.name === KEY_IS_OLD)
      renew(attempt, keyOf, verdict)
    else refuse(attempt, verdict)
    return
  }
  const { transaction } = verdict
  if (verdict.kind === 'pending') {
    const { status, href } = transaction
    if (status === '3ds pending' && href && sent?.mpiUrl && !attempt.isVisited)
      return void visit(attempt, href, verdict)
    throw new Fault('api.pending', { outcome: 'pending', transaction })
  }
  if (end(attempt, 'success')) succeed(attempt.mounted, transaction)
}

function refuse(attempt: Attempt, { error, status }: Refusal): void {
  const { name, code, explain } = error
  // The parts of a hash are only shown for test payments.
  tell(
    'warn',
    'api.refused',
    { error: name, ...(isReadAlong() && { explain }) },
    undefined,
    `error-${code}`,
  )
  failWith(attempt, createRefusalError(error, status, attempt))
}

/** Shows the service's page to the payer until the payment is settled, or the payer leaves. */
function visit(attempt: Attempt, href: string, pending: Verdict): void {
  attempt.isVisited = true
  step(
    attempt,
    () =>
      goToBank(attempt, false)
        .visit(href, () => ask(attempt))
        .catch((thrown) => {
          reportFault(asFault(thrown))
          return pending
        }),
    (_attempt, verdict) => {
      move(attempt.mounted, 'sending')
      settle(attempt, verdict)
    },
  )
}

/** Retries once with the merchant's new key, if there is one. */
function renew(attempt: Attempt, key: ServedConfig, verdict: Verdict): void {
  attempt.isRenewed = true
  attempt.sent = attempt.bank = undefined
  step(
    attempt,
    () => renewKey(key, attempt.settings.timeouts, attempt.scope),
    (_attempt, isAnother) => {
      attempt.isKeyRight = isAnother !== undefined
      if (isAnother) pay(attempt)
      else settle(attempt, verdict)
    },
  )
}

/**
 * Reads the first line of the served script again: the merchant may have a new key.
 * @returns true if the key is new, and stored in the configuration; undefined if the script could
 *   not be read
 */
async function renewKey(
  config: ServedConfig,
  { status: timeout }: Timeouts,
  scope: Scope,
): Promise<boolean | undefined> {
  const url = `${config.cdnUrl}/v2/mondido.js?merchant_id=${config.merchantId}`
  const { text } = await exchange({ url, timeout }, scope)
  // The script begins with the line that contains the configuration.
  const [line = ''] = text.split('\n')
  const { publicKey } = Object(parseJson(line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1)))
  if (typeof publicKey !== 'string') return undefined
  if (publicKey === config.publicKey) return false
  config.publicKey = publicKey
  return true
}
