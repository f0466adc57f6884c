import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { ask, logInAt } from '../../gateway/web/console/listener.ts'
import { startPostgres } from '../../setup/postgres.ts'
import { scratchDatabaseOn } from '../../setup/scratch-database.ts'
import { median, type Plan } from './compare.ts'
import { fill } from './fill.ts'
import { print, printFigure } from './report.ts'
import { plainCreate } from './requests.ts'
import { freshPath, type Server, startGateway, startGatewayOn } from './servers.ts'

/** Number of transactions, all with the date of today. */
const SIZE = 100_000

/** Limit for the time to the first byte, in milliseconds. */
const LIMIT = { atMost: 30 }

/** Number of the slowest pages to print. */
const TOLD = 5

export const HOME = `/console/${DEFAULT_MERCHANT.id}`

/** Pages that have no link in the menu or the list. */
const MORE = [
  `${HOME}/transactions?filter[payment_ref]=filled-9*`,
  `${HOME}/transactions?filter[status]=declined`,
  `${HOME}/transactions?offset=50000`,
  `${HOME}/search?q=filled-77`,
]

/**
 * Measures the time until a merchant's console pages start to arrive if there are many payments, on
 * both databases.
 */
export async function measureConsole(plan: Plan): Promise<void> {
  const folder = freshPath()
  await measureFilled(
    'SQLite',
    plan,
    await startGateway(plan.connections, folder),
    join(folder, 'gateway.db'),
  )
  const postgres = await startPostgres()
  const scratch = await scratchDatabaseOn(postgres.url)
  await measureFilled(
    'PostgreSQL',
    plan,
    await startGatewayOn(plan.connections, scratch.url),
    scratch.url,
  )
  await scratch.drop()
  await postgres.stop()
}

async function measureFilled(
  name: string,
  plan: Plan,
  gateway: Server,
  target: string,
): Promise<void> {
  await gateway.load.run({ requests: 10 }, () => plainCreate())
  const database = await openDatabase(target)
  await fill(database, SIZE)
  await tidy(database)
  await database.close()
  const url = `http://localhost:${gateway.port}`
  const cookie = await logInAt(url, String(DEFAULT_MERCHANT.id), DEFAULT_MERCHANT.password)
  const linked = await Promise.all(
    [HOME, `${HOME}/transactions`].map((path) => linksOn(url, path, cookie)),
  )
  const times: { readonly path: string; readonly milliseconds: number }[] = []
  for (const path of new Set([...linked.flat(), ...MORE])) {
    const tries: number[] = []
    for (let round = 0; round <= plan.rounds; round += 1)
      tries.push(await firstByte(url + path, cookie))
    times.push({ path, milliseconds: median(tries.slice(1)) })
  }
  await gateway.stop()
  times.sort((one, other) => other.milliseconds - one.milliseconds)
  print(
    `\nFirst byte of the console's pages on ${name}, at ${SIZE} payments of one day: the slowest of ${times.length}`,
  )
  for (const { path, milliseconds } of times.slice(0, TOLD))
    printFigure(decodeURIComponent(path), milliseconds, 'ms', LIMIT)
}

/**
 * Runs PostgreSQL's cleanup (vacuum) immediately, because only after it PostgreSQL counts rows with
 * an index alone.
 */
async function tidy({ db, dialect }: Database): Promise<void> {
  if (dialect !== 'postgres') return
  await setTimeout(2_000)
  await sql`vacuum analyze transactions`.execute(db)
}

/** Returns the addresses that a page of a merchant links to, without pages of single objects. */
export async function linksOn(url: string, path: string, cookie: string): Promise<string[]> {
  const html = await text(await ask(url + path, cookie))
  const links = [...html.matchAll(/ href="([^"#]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )
  return links
    .map((link) => new URL(link, url + path))
    .map(({ pathname, search }) => pathname + search)
    .filter(
      (link) => link.startsWith(`${HOME}/`) && !/\/\d+(\?|$)|\.\w+$/.test(link.slice(HOME.length)),
    )
}

async function firstByte(address: string, cookie: string): Promise<number> {
  const start = performance.now()
  const answer = await ask(address, cookie)
  const time = performance.now() - start
  if (answer.statusCode !== 200) throw new Error(`${address} answered ${answer.statusCode}`)
  await text(answer)
  return time
}
