import { isReadAlong, tell } from '../advice/tell.ts'
import { toHex } from '../crypto/base64.ts'
import { randomBytes } from '../crypto/encrypt.ts'
import { errorOfFault, errorOfRefusal } from '../errors/error.ts'
import { asFault, Fault, tellOf } from '../errors/faults.ts'
import { takeSnapshot } from '../form/snapshot.ts'
import { validate } from '../form/validate.ts'
import { createScope } from '../scope.ts'
import type { ServedConfig } from '../settings/served-config.ts'
import { type Bank, createBank } from '../three-d-secure/bank.ts'
import { mpiAddress } from '../three-d-secure/entry.ts'
import type { MondidoError, MondidoState, Outcome } from '../types.ts'
import { deliver } from './deliver.ts'
import type { AttemptHost } from './host.ts'
import { leave, whenSettled } from './leave.ts'
import { type Payload, prepare } from './prepare.ts'
import { renewKey } from './renew-key.ts'
import { askStatus } from './status.ts'
import type { Verdict } from './verdict.ts'

/** Id of an attempt: 128 random bits in hexadecimal; empty without a secure random source, which encrypting refuses. */
export function newAttemptId(): string {
  try {
    return toHex(randomBytes(16))
  } catch {
    return ''
  }
}

/** One attempt to pay. */
export interface Attempt {
  run(): void
  /** Ends it with `network.aborted`. */
  abort(): Outcome
  /** Brings the bank's window forward; false when there is none. */
  focus(): boolean
  /** Ends it without an event. */
  drop(): void
}

/** The service's name for values it cannot decrypt (197). */
const KEY_IS_OLD = 'errors.decryption.failed'

/** What a step gives: at once, or later. */
type Soon<T> = T | Promise<T>

/** One attempt in five steps: before, encrypt, authenticate, send, settle. It ends in exactly one of `payment:success` and
 * `payment:fail`, unless `payment:before` stopped it. Everything up to the request happens in the stack of `run`, unless
 * a step has to wait. */
export function createAttempt(host: AttemptHost): Attempt {
  const { id, form, settings, configs, emit, move } = host
  const scope = createScope()
  let sent: Payload | undefined
  /** Whose key encrypted the payment. */
  let keyOf: ServedConfig | undefined
  let isRenewed = false
  /** Whether the payment was encrypted with the merchant's key of now, as far as anybody knows. */
  let isKeyRight = false
  let isVisited = false
  let bank: Bank | undefined

  /** Runs one step, unless the attempt is over, and the next one with what it gave; whatever is thrown ends the attempt. */
  function step<T>(run: () => Soon<T>, next?: (given: T) => void): void {
    try {
      if (scope.isOver) return
      const given = run()
      if (isPromise(given)) given.then((value) => step(() => next?.(value)), crash)
      else next?.(given)
    } catch (thrown) {
      crash(thrown)
    }
  }

  function crash(thrown: unknown): void {
    if (scope.isOver) tellOf(asFault(thrown))
    else fail(asFault(thrown, sent ? 'unknown' : 'not_sent'))
  }

  const circumstances = () => ({ attempt: id, state: host.state(), text: host.text })
  const fail = (fault: Fault): void => failWith(errorOfFault(fault, circumstances()))

  function failWith(error: MondidoError): void {
    if (end('fail')) host.report(error)
  }

  /** Leaves the attempt; returns false when it was over already. */
  function end(to: MondidoState): boolean {
    if (scope.isOver) return false
    scope.end()
    host.unlock()
    move(to)
    return true
  }

  /** Asks the page whether to pay.
   * @throws Fault `integration.before` */
  function before(): Soon<boolean> {
    move('before')
    scope.listen(window, 'pageshow', (event) => {
      if ((event as PageTransitionEvent).persisted) step(comeBack, settle)
    })
    const { isPrevented, waits, thrown } = emit('payment:before', { attempt: id, form }, { attempt: id })
    if (thrown.length) throw new Fault('integration.before', { why: 'handler', cause: thrown[0] })
    return waits.length && !isPrevented ? waitFor(waits) : !isPrevented
  }

  function waitFor(waits: readonly PromiseLike<unknown>[]): Promise<boolean> {
    if (opensWindow()) goToBank(true).open()
    step(host.lock)
    const given = Promise.all(waits).then(
      (results) => {
        if (results.includes(false)) bank?.close('cancelled')
        return !results.includes(false)
      },
      (cause: unknown) => {
        throw new Fault('integration.before', { why: 'rejected', cause })
      },
    )
    const { before: timeout } = settings.timeouts
    const tooLate = scope.pause(timeout).then(() => {
      throw new Fault('integration.before', { why: 'timeout', facts: { timeout } })
    })
    return Promise.race([given, tooLate])
  }

  /** Whether a window opens with the payer's click: later, browsers forbid it. */
  function opensWindow(): boolean {
    const served = [...configs.values()].map(({ mpiUrl }) => mpiUrl).find(Boolean)
    return settings.mpiOpen === 'eager' && !!mpiAddress(settings, takeSnapshot(form, settings), served)
  }

  /** Reads the form, checks it and encrypts what is marked.
   * @throws Fault of the categories integration, validation and crypto */
  function encrypt(): Payload {
    const { submitter, text } = host
    const snapshot = takeSnapshot(form, settings, submitter)
    validate({ form, settings, snapshot, submitter, text })
    move('encrypting')
    return prepare({ form, settings, configs, snapshot, attempt: id })
  }

  /** A way to the payer's bank.
   * @param mayOpen whether this is the stack of the payer's click, where browsers let a page open one window */
  function goToBank(mayOpen: boolean): Bank {
    const fresh = createBank(host, mayOpen)
    scope.add(() => fresh.close('aborted'))
    bank = fresh
    return fresh
  }

  /** Lets the payer's bank see the payer, which adds fields to the payload.
   * @returns the payment to send, or the service's no
   * @throws Fault of the category mpi */
  function authenticate(payload: Payload): Soon<Payload | Verdict> {
    if (payload.mpiUrl && settings.mpiOpen === 'eager') return (bank ?? goToBank(!isRenewed)).ask(payload)
    bank?.close('aborted')
    return payload
  }

  /** Sends the payment.
   * @returns nothing when a page that stands after its post may simply try again
   * @throws Fault of the categories network and api */
  function send(payload: Payload): Promise<Verdict | undefined> {
    host.lock()
    move('sending')
    return new Promise((resolve) => {
      step(() => {
        sent = payload
        const { timeouts } = settings
        resolve(payload.isForm ? leave(payload, form, timeouts, scope) : deliver(payload, timeouts, scope))
      })
    })
  }

  /** Back to a page that was frozen during the attempt: its request is gone, the payment may have been made meanwhile.
   * @throws Fault `network.unreachable` */
  async function comeBack(): Promise<Verdict | undefined> {
    const found = await askStatus(sent?.statusUrl, settings.timeouts, scope)
    if (sent?.isForm) return whenSettled(found)
    if (typeof found === 'object') return found
    if (found || !sent) return undefined
    throw new Fault('network.unreachable', { why: 'left', outcome: 'unknown' })
  }

  /** Tells the page how the payment ended.
   * @throws Fault `api.pending` */
  function settle(verdict: Verdict | undefined): void {
    if (!verdict) return void end('idle')
    if (verdict.kind === 'refused') {
      if (keyOf && !isRenewed && verdict.error.name === KEY_IS_OLD) renew(keyOf, verdict)
      else refuse(verdict)
      return
    }
    const { transaction } = verdict
    if (verdict.kind === 'pending') {
      const { status, href } = transaction
      if (status === '3ds pending' && href && sent?.mpiUrl && !isVisited) return void visit(href, verdict)
      throw new Fault('api.pending', { outcome: 'pending', transaction })
    }
    if (end('success')) host.succeed(transaction)
  }

  function refuse({ error, status }: Extract<Verdict, { kind: 'refused' }>): void {
    const { name, code, explain } = error
    // What a hash is made of is for test payments.
    tell('warn', 'api.refused', { error: name, ...(isReadAlong() && { explain }) }, undefined, `error-${code}`)
    failWith(errorOfRefusal(error, status, circumstances(), isKeyRight))
  }

  /** The service itself asks for the payer: shows them their page until the payment is settled, or they leave. */
  function visit(href: string, pending: Verdict): void {
    isVisited = true
    step(
      () =>
        goToBank(false)
          .visit(href, () => askStatus(sent?.statusUrl, settings.timeouts, scope))
          .catch((thrown) => {
            tellOf(asFault(thrown))
            return pending
          }),
      (verdict) => {
        move('sending')
        settle(verdict)
      },
    )
  }

  /** After a definite no because of the key: once more under the merchant's new one, if there is one. */
  function renew(key: ServedConfig, verdict: Verdict): void {
    isRenewed = true
    sent = undefined
    bank = undefined
    step(
      () => renewKey(key, settings.timeouts, scope),
      (isAnother) => {
        isKeyRight = isAnother !== undefined
        if (isAnother) pay()
        else settle(verdict)
      },
    )
  }

  const pay = () =>
    step(encrypt, (sealed) => {
      keyOf = sealed.keyOf
      step(
        () => authenticate(sealed),
        (ready) => ('kind' in ready ? settle(ready) : step(() => send(ready), settle)),
      )
    })

  return {
    run() {
      step(before, (isWanted) => (isWanted ? pay() : void end('idle')))
    },
    abort() {
      const outcome = sent ? 'unknown' : 'not_sent'
      fail(new Fault('network.aborted', { outcome }))
      return outcome
    },
    focus: () => bank?.focus() ?? false,
    drop: () => void end('idle'),
  }
}

const isPromise = <T>(given: Soon<T>): given is Promise<T> =>
  typeof (given as Promise<T> | undefined)?.then === 'function'
