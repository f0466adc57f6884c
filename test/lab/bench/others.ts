import { join } from 'node:path'
import { freePort } from '../../setup/free-port.ts'
import { median, type Plan, ratio, takeTurns } from './compare.ts'
import { print, printFigure } from './report.ts'
import { plainCreate } from './requests.ts'
import { freshPath, type Server, start, startGateway, startGatewayForTests } from './servers.ts'
import { type Start, timeStart } from './start-up.ts'

/** Server that people could use instead of the gateway, with a request that creates a payment. */
interface Other {
  readonly start: (connections: number) => Promise<Server>
  readonly next: () => string
}

const GATEWAY: Readonly<Record<string, Other>> = {
  'gateway, on disk': {
    start: (connections) => startGateway(connections, freshPath()),
    next: plainCreate,
  },
  'gateway, in memory': {
    start: (connections) => startGatewayForTests(connections),
    next: plainCreate,
  },
}

/**
 * Measures the gateway in turns with two mocks of another payment service. They keep no data on
 * disk, verify no hash, and have no webhooks with retries.
 * @param folder folder with `emulate` and `stripe-stateful-mock` in its node_modules
 */
export async function measureOthers(plan: Plan, folder: string): Promise<void> {
  const others = { ...GATEWAY, ...othersIn(folder) }
  await printStarts(others, plan)
  await printPayments(others, plan)
}

const othersIn = (folder: string): Readonly<Record<string, Other>> => ({
  emulate: {
    start: async (connections) => {
      const command = join(folder, 'node_modules/emulate/dist/index.js')
      const flags = ['start', '--service', 'stripe', '--port', String(await freePort())]
      return start(connections, [command], flags)
    },
    next: () =>
      form(
        '/v1/payment_intents',
        nextKey(),
        'amount=1000&currency=sek&payment_method=pm_card_visa',
      ),
  },
  'stripe-stateful-mock': {
    start: (connections) => {
      const module = JSON.stringify(join(folder, 'node_modules/stripe-stateful-mock'))
      return start(connections, ['--eval', listening(module)])
    },
    next: () => form('/v1/charges', 'sk_test_1', 'amount=1000&currency=sek&source=tok_visa'),
  },
})

/** Program of an Express app that prints its address. */
const listening = (module: string) =>
  `const server = require(${module}).createExpressApp().listen(0, '127.0.0.1', () =>
    console.log('http://localhost:' + server.address().port))`

const form = (path: string, key: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`

let asked = 0

/** Returns another key after 1,000 requests, because emulate limits the requests of a key. */
const nextKey = () => `sk_test_${Math.floor(asked++ / 1_000)}`

async function printStarts(others: Readonly<Record<string, Other>>, plan: Plan): Promise<void> {
  const starts = Object.fromEntries(Object.keys(others).map((name) => [name, [] as Start[]]))
  for (let turn = 0; turn < plan.starts; turn += 1)
    for (const [name, other] of Object.entries(others))
      starts[name]?.push(await timeStart(() => other.start(1), other.next))
  print(`\nStart to first payment, median of ${plan.starts}`)
  for (const [name, found] of Object.entries(starts)) {
    printFigure(`${name}, time`, median(found.map(({ time }) => time)), 'ms')
    printFigure('  CPU', median(found.map(({ cpu }) => cpu)), 'ms')
    printFigure('  memory', median(found.map(({ memory }) => memory)), 'MB')
  }
}

async function printPayments(others: Readonly<Record<string, Other>>, plan: Plan): Promise<void> {
  const contestants = Object.fromEntries(
    await Promise.all(
      Object.entries(others).map(async ([name, { start, next }]) => {
        return [name, { server: await start(plan.connections), next }] as const
      }),
    ),
  )
  const scores = await takeTurns(contestants, plan)
  print('\nCreate a payment')
  const { 'stripe-stateful-mock': base = [] } = scores
  for (const [name, score] of Object.entries(scores)) {
    printFigure(`${name}, CPU`, median(score.map(({ cpu }) => cpu)), 'us')
    printFigure('  in times of stripe-stateful-mock', ratio(score, base, 'cpu'), '')
  }
  await Promise.all(Object.values(contestants).map(({ server }) => server.stop()))
}
