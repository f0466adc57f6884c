import { createServer } from 'node:http'
import { CASES } from './check/cases.ts'
import type { CheckedGateway } from './check/gateway.ts'
import type { ShopUnderCheck } from './check/plan.ts'
import type { CaseResult } from './check/results.ts'
import { type CheckOptions, runCheck } from './check/run.ts'
import { type Control, createControl, type Reach, withOperations } from './client/control.ts'
import type { Operations } from './client/operations.ts'
import type { Fetch } from './client/send.ts'
import { createGateway, type GatewayOptions, OptionError } from './gateway.ts'
import { openShop, type Shop, type ShopOptions } from './testing/shop.ts'
import { openReceiver, type Receiver } from './testing/webhooks.ts'
import { getPort, openPort } from './web/http/open-port.ts'

export type { CheckedGateway } from './check/gateway.ts'
export type { OrderView } from './check/order-view.ts'
export type { ChargeOrder, ShopUnderCheck } from './check/plan.ts'
export type { CardForm, CardUse, TypedCard } from './check/purchase.ts'
export type { CaseResult } from './check/results.ts'
export type { CheckOptions } from './check/run.ts'
export type { CheckTime } from './check/time.ts'
export type { Control, Reach } from './client/control.ts'
export {
  LoginError,
  MondidoError,
  NoAnswerError,
  NotFoundError,
  PaymentError,
  type Refusal,
  RefusedError,
  TimeoutError,
  UnavailableError,
} from './client/errors.ts'
export type { GivenSettings } from './domain/merchant.ts'
export type { ClockMoved, TestClock } from './testing/clock.ts'
export type { Order, Shop, ShopOptions } from './testing/shop.ts'
export type { SentRequest, TestRequest } from './testing/story.ts'
export type { ReceivedWebhook, TestWebhooks, WaitOptions } from './testing/webhooks.ts'

/**
 * Names of the cases that `checkShop` runs.
 * @example
 * import { checkCases } from 'mondido-gateway/testing'
 *
 * console.log(checkCases.length, checkCases[0])
 */
export const checkCases: readonly string[] = CASES.map(({ name }) => name)

/**
 * Runs the cases of the shop check against a shop.
 * @returns one result for each case
 * @throws CheckError if the gateway or the shop cannot be used
 * @example
 * import { checkShop, startGateway } from 'mondido-gateway/testing'
 *
 * const gateway = await startGateway({ port: 0 })
 * const [result] = await checkShop(
 *   gateway,
 *   {
 *     buy: async () => (await fetch('http://localhost:3000/buy', { method: 'POST', redirect: 'manual' })).headers.get('location'),
 *     order: async (paymentRef) => (await fetch(`http://localhost:3000/orders/${paymentRef}.json`)).json(),
 *     settle: 10_000,
 *   },
 *   { only: ['plain-payment'] },
 * )
 */
export const checkShop = async (
  gateway: CheckedGateway,
  shop: ShopUnderCheck,
  options?: CheckOptions,
): Promise<readonly CaseResult[]> => (await runCheck(gateway, shop, options)).results

/** A gateway for tests. Several suites and workers can share one. */
export interface TestGateway {
  /** Address of the gateway. Nothing listens there unless it was started with `port`. */
  readonly url: string
  readonly controlKey: string
  /** Sends requests to the gateway: without a network if it runs in this process. */
  readonly fetch: Fetch
  /** Calls the control API, and each of its operations by name. */
  readonly control: Control & Operations
  /** Creates a merchant, in a millisecond: one for each worker or each test. */
  shop(options?: ShopOptions): Promise<Shop>
  /** Saves the data of all merchants, clocks, seeds and forced outcomes under a name. */
  saveSnapshot(name: string): Promise<Snapshot>
  /** Restores a snapshot, for all merchants. Accounts stay as they are. */
  restoreSnapshot(name: string): Promise<Snapshot>
  snapshots(): Promise<readonly Snapshot[]>
  deleteSnapshot(name: string): Promise<void>
  /** Closes everything that this kit started. A gateway of another process continues to run. */
  close(): Promise<void>
}

/** Saved data of a gateway: its name, its number of transactions and the machine's time. */
export type Snapshot = Awaited<ReturnType<Operations['snapshots']['save']>>

/** Options of a gateway for tests. */
export interface StartOptions extends Omit<GatewayOptions, 'addresses' | 'control'> {
  /** Port on this machine; 0 chooses a free port. Default: the gateway does not listen. */
  readonly port?: number
  /** Address for links if the gateway does not listen. Default: http://localhost:4400. */
  readonly address?: string
}

/**
 * Starts a gateway in this process. Its data are in memory unless you pass `database`.
 * @throws OptionError if an option is invalid or the port is in use
 * @example
 * import { startGateway } from 'mondido-gateway/testing'
 *
 * const gateway = await startGateway()
 * const shop = await gateway.shop()
 * const payment = await shop.pay({ amount: '25.00' })
 * console.log(payment.status) // approved
 * await gateway.close()
 */
export async function startGateway({
  port,
  address,
  ...options
}: StartOptions = {}): Promise<TestGateway> {
  const servers = port === undefined ? [] : await listening(port)
  const url = servers[0]
    ? `http://localhost:${getPort(servers[0])}`
    : (address ?? 'http://localhost:4400')
  const receiver = await openReceiver()
  const gateway = await createGateway({
    ...options,
    addresses: { base: url, pay: url, cdn: url },
    webhooks: { ...options.webhooks, answerInProcess: receiver.answerInProcess },
  })
  for (const server of servers) server.on('request', gateway.app)
  const reach = { url, controlKey: gateway.controlKey ?? '', fetch: gateway.handle }
  const kit = createKit(reach, receiver)
  return {
    ...kit,
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await kit.close()
      await gateway.close()
    },
  }
}

/**
 * Connects to a gateway that is running.
 * @example
 * import { connectGateway, startGateway } from 'mondido-gateway/testing'
 *
 * const running = await startGateway({ port: 0 })
 * const gateway = await connectGateway({ url: running.url, controlKey: running.controlKey })
 * const shop = await gateway.shop()
 * await shop.nextOutcome('errors.card.expired')
 * await gateway.close()
 * await running.close()
 */
export const connectGateway = async ({
  url,
  controlKey,
}: Pick<Reach, 'url' | 'controlKey'>): Promise<TestGateway> =>
  createKit({ url, controlKey, fetch: globalThis.fetch }, await openReceiver())

/**
 * Connects to the gateway that `mondido-gateway exec` started, or starts one in this process.
 * @param env environment with MONDIDO_BASE_URL and MONDIDO_CONTROL_KEY. Default: the process's
 * @example
 * import { findGateway } from 'mondido-gateway/testing'
 *
 * const gateway = await findGateway()
 * console.log(gateway.url)
 * await gateway.close()
 */
export const findGateway = (
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<TestGateway> => {
  const { MONDIDO_BASE_URL: url, MONDIDO_CONTROL_KEY: controlKey } = env
  return url && controlKey ? connectGateway({ url, controlKey }) : startGateway()
}

function createKit(reach: Reach, receiver: Receiver): TestGateway {
  const control = withOperations(createControl(reach))
  const { snapshots } = control
  return {
    ...reach,
    control,
    shop: (options) => openShop(reach, control, receiver, options),
    saveSnapshot: (name) => snapshots.save({ name }),
    restoreSnapshot: (name) => snapshots.restore({ name }),
    snapshots: async () => (await snapshots.list()).snapshots,
    deleteSnapshot: async (name) => void (await snapshots.delete({ name })),
    close: receiver.close,
  }
}

const listening = (port: number) =>
  openPort('localhost', port, () =>
    // On a busy machine a client sends its next request just when a connection that rests for Node's
    // 5 seconds is closed.
    createServer({ maxHeaderSize: 256 * 1024, keepAliveTimeout: 20_000 }),
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new OptionError(`Port ${port} is in use: choose another, or 0 for a free one.`)
      : error
  })
