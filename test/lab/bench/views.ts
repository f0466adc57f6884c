import { setTimeout } from 'node:timers/promises'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { logInAt } from '../../gateway/web/console/listener.ts'
import { CARD, clientAt, prepared } from '../../helpers/gateway.ts'
import { median, type Plan } from './compare.ts'
import { HOME, linksOn } from './console.ts'
import { print, printFigure } from './report.ts'
import { plainCreate } from './requests.ts'
import { type Server, startGatewayForTests } from './servers.ts'

/** Limit for the first view of a page: CPU time of all threads in milliseconds. */
const LIMIT_OF_FIRST = { atMost: 15 }
const LIMIT = { atMost: 1.5 }

/** Milliseconds until a payer opens the page. */
const PAUSE_MS = 300

/** Number of visits until the code of a page is warm. */
const WARM = 500
const MEASURED = 200

/** Number of requests, which is more than the console stores. */
const REQUESTS = 1_100

/** Number of the slowest console pages to print. */
const TOLD = 5

/**
 * Measures the CPU time of pages: payment page and bank for the first payer after a start, and all
 * pages for later ones.
 */
export async function measureViews(plan: Plan): Promise<void> {
  const first = { payment: [] as number[], bank: [] as number[] }
  for (let turn = 0; turn < plan.starts; turn += 1) {
    const gateway = await startGatewayForTests(1)
    const page = await prepareAt(gateway)
    first.payment.push(await costOf(gateway, () => show(page)))
    const bank = await payAt(page)
    first.bank.push(await costOf(gateway, () => show(bank)))
    await gateway.stop()
  }
  print(`\nPages, milliseconds of the processor; the first of a start, median of ${plan.starts}`)
  printFigure('the payment page, the first', median(first.payment), 'ms', LIMIT_OF_FIRST)
  printFigure('the bank, the first after it', median(first.bank), 'ms', LIMIT_OF_FIRST)

  const gateway = await startGatewayForTests(1)
  const page = await prepareAt(gateway)
  printFigure('the payment page', await laterCostOf(gateway, () => show(page)), '', LIMIT)
  const bank = await payAt(page)
  printFigure('the bank', await laterCostOf(gateway, () => show(bank)), '', LIMIT)
  await gateway.load.run({ requests: REQUESTS }, () => plainCreate())
  const url = `http://localhost:${gateway.port}`
  const cookie = await logInAt(url, String(DEFAULT_MERCHANT.id), DEFAULT_MERCHANT.password)
  const costs: { readonly path: string; readonly cost: number }[] = []
  for (const path of new Set([HOME, ...(await linksOn(url, HOME, cookie))]))
    costs.push({ path, cost: await laterCostOf(gateway, () => show(url + path, cookie)) })
  await gateway.stop()
  costs.sort((one, other) => other.cost - one.cost)
  print(`  the console's after ${REQUESTS} requests, the dearest of ${costs.length}`)
  for (const { path, cost } of costs.slice(0, TOLD)) printFigure(path, cost, '', LIMIT)
}

/**
 * Prepares a payment.
 * @returns the address of its page, which a payer is about to open
 */
async function prepareAt({ port }: Server): Promise<string> {
  const { id, password, secret } = DEFAULT_MERCHANT
  const shop = clientAt(`http://localhost:${port}`, { id, password, secret })
  const { body } = await shop.post('/v1/transactions', prepared())
  await setTimeout(PAUSE_MS)
  return body.href
}

/**
 * Pays on a payment page with a card that gets a challenge.
 * @returns the address of the bank's page
 */
async function payAt(page: string): Promise<string> {
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(await show(page)) ?? []
  const form = { ...CARD, card_number: '4000000000001091', payment_method: 'credit_card', version }
  const paid = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  const challenge = await fetch(new URL(paid.headers.get('location') ?? '', page), {
    redirect: 'manual',
  })
  return new URL(challenge.headers.get('location') ?? '', page).href
}

async function show(address: string, cookie = ''): Promise<string> {
  const answer = await fetch(address, { headers: { cookie }, redirect: 'manual' })
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`)
  return answer.text()
}

/** Returns the CPU time of a visit in milliseconds. */
async function costOf(gateway: Server, visit: () => Promise<unknown>): Promise<number> {
  const before = gateway.cpu()
  await visit()
  return (gateway.cpu() - before) / 1_000
}

/** Returns the CPU time of a visit to a page that was opened often before. */
async function laterCostOf(gateway: Server, visit: () => Promise<unknown>): Promise<number> {
  const times = async (count: number) => {
    for (let done = 0; done < count; done += 1) await visit()
  }
  await times(WARM)
  return (await costOf(gateway, () => times(MEASURED))) / MEASURED
}
