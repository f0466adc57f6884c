import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CASES } from './check/cases.ts'
import type { ShopUnderCheck } from './check/plan.ts'
import { type CaseResult, type CheckOptions, runCheck } from './check/run.ts'
import type { CheckedGateway } from './check/stage.ts'
import type { Fetch } from './client/send.ts'
import { createGateway, type GatewayOptions, OptionError } from './gateway.ts'
import { type Control, controlOf, type Reach } from './testing/control.ts'
import { openShop, type Shop, type ShopOptions } from './testing/shop.ts'
import { openReceiver } from './testing/webhooks.ts'

export type { OrderView, ShopUnderCheck } from './check/plan.ts'
export type { CaseResult, CheckOptions } from './check/run.ts'
export type { CheckedGateway } from './check/stage.ts'
export * from './client/errors.ts'
export type { GivenSettings } from './domain/merchant.ts'
export type { ClockMoved, TestClock } from './testing/clock.ts'
export type { Control, Reach } from './testing/control.ts'
export type { Order, Shop, ShopOptions } from './testing/shop.ts'
export type { TestRequest } from './testing/story.ts'
export type { ReceivedWebhook, TestWebhooks, WaitOptions } from './testing/webhooks.ts'

/** Names of the cases that `checkShop` runs. */
export const checkCases: readonly string[] = CASES.map(({ name }) => name)

/**
 * Runs cases against a shop. @returns one result for each case that ran
 * @throws CheckError when gateway or shop cannot be used
 */
export const checkShop = async (
  gateway: CheckedGateway,
  shop: ShopUnderCheck,
  options?: CheckOptions,
): Promise<readonly CaseResult[]> => (await runCheck(gateway, shop, options)).results

/** A gateway for tests. Several suites, and workers of one, may use the same. */
export interface TestGateway {
  /** Where it is; nothing listens there unless it was started on a port. */
  readonly url: string
  readonly controlKey: string
  /** Answers requests without a network where the gateway is in this process. */
  readonly fetch: Fetch
  readonly control: Control
  /** A merchant of its own, in a millisecond: for each worker, or for each test. */
  shop(options?: ShopOptions): Promise<Shop>
  /** Ends what was started here; a gateway that others started goes on. */
  close(): Promise<void>
}

/** How a gateway for tests is started. */
export interface StartOptions extends Omit<GatewayOptions, 'addresses' | 'control'> {
  /** Listens on this port of this machine; 0 takes a free one. Default: nothing listens. */
  readonly port?: number
  /** What it is called where nothing listens; links are built from it. Default: http://localhost:4400. */
  readonly address?: string
}

/** Starts a gateway in this process, with data in memory unless `database` says otherwise. */
export async function startGateway({ port, address, ...options }: StartOptions = {}): Promise<TestGateway> {
  const server = port === undefined ? undefined : await listening(port)
  const url = server
    ? `http://localhost:${(server.address() as AddressInfo).port}`
    : (address ?? 'http://localhost:4400')
  const gateway = await createGateway({ ...options, addresses: { base: url, pay: url, cdn: url } })
  server?.on('request', gateway.app)
  const kit = await kitOf({ url, controlKey: gateway.controlKey ?? '', fetch: gateway.handle })
  return {
    ...kit,
    async close() {
      server?.closeAllConnections()
      server?.close()
      await kit.close()
      await gateway.close()
    },
  }
}

/** Uses a gateway that runs: `connectGateway({ url: 'http://localhost:4400', controlKey })`. */
export const connectGateway = ({ url, controlKey }: Pick<Reach, 'url' | 'controlKey'>): Promise<TestGateway> =>
  kitOf({ url, controlKey, fetch: globalThis.fetch })

/**
 * The gateway that `mondido-gateway exec` started and named in the environment, or else one of one's own.
 * @param env where to look
 */
export const findGateway = (env: Readonly<Record<string, string | undefined>> = process.env): Promise<TestGateway> => {
  const { MONDIDO_BASE_URL: url, MONDIDO_CONTROL_KEY: controlKey } = env
  return url && controlKey ? connectGateway({ url, controlKey }) : startGateway()
}

async function kitOf(reach: Reach): Promise<TestGateway> {
  const control = controlOf(reach)
  const receiver = await openReceiver()
  return { ...reach, control, shop: (options) => openShop(reach, control, receiver, options), close: receiver.close }
}

async function listening(port: number): Promise<Server> {
  const server = createServer({ maxHeaderSize: 256 * 1024 })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new OptionError(`Port ${port} is in use: choose another, or 0 for a free one.`)
      : error
  })
  return server
}
