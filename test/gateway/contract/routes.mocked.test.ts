import type { Express } from 'express'
import { expect, test, vi } from 'vitest'
import { listCalls } from '../../../mock-gateway/web/docs/contract.ts'
import type * as pipeline from '../../../mock-gateway/web/http/pipeline.ts'
import { readContract } from '../../helpers/contract.ts'
import { readControlContract } from '../../helpers/control-contract.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { routesOf } from './routes.ts'

const loaded: Promise<unknown>[] = []

/**
 * Replaces the listener of the gateway by its Express app, and creates all handlers without a
 * request, so that the routes can be read.
 */
vi.mock('../../../mock-gateway/web/http/pipeline.ts', async (load) => ({
  ...(await load<typeof pipeline>()),
  limitPipeline: (app: unknown) => app,
  loadWhenAsked(load: () => Promise<object>, make: (module: object) => object) {
    const handler = () => {}
    const become = (made: object) =>
      Object.setPrototypeOf(Object.assign(handler, made), Object.getPrototypeOf(made))
    loaded.push(load().then((module) => become(make(module))))
    return handler
  },
}))

const calls = listCalls(readContract())
const documented = calls.map(({ method, path }) => `${method} ${path}`)
const shop = await sharedGateway()

await Promise.all(loaded)
// The contract describes the merchants' API. docs/reference/control.md and
// docs/reference/console.md describe the other routes.
const routes = routesOf(shop.gateway.app as Express).filter(
  (route) => !/ \/(?:_control|console)/.test(route),
)

/**
 * Routes that are not in the contract: the home page, and addresses that only a payer's browser
 * calls, for payment links and on the way to the bank and to the shop. `x-elsewhere` describes their
 * answers.
 */
const OF_BROWSERS =
  /^get $|^(?:get|post) \/pay\/\{token\}$|^(?:get|post) \/v1\/(?:mpi_js\/(?:return|result)|form\/\{token\}\/(?:back|result|story|trouble))/

test('every route of the gateway is in the contract', () => {
  expect(routes).toContain('put /v1/transactions/{id}/capture')
  expect(routes.filter((route) => !documented.includes(route) && !OF_BROWSERS.test(route))).toEqual(
    [],
  )
})

test('the control API has the calls of its document, and no others', () => {
  const ofControl = routesOf(shop.gateway.app as Express).filter((route) =>
    route.includes(' /_control'),
  )
  const named = listCalls(readControlContract()).map(
    ({ method, path }) => `${method} /_control${path}`,
  )
  expect(ofControl).toEqual(named.sort())
})

test('every call of the contract has a route; CORS preflights need none', () => {
  const asked = documented.filter((call) => !call.startsWith('options '))
  expect(asked.filter((call) => !routes.includes(call))).toEqual([])
})
