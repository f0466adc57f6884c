import { readFile, writeFile } from 'node:fs/promises'
import { listOrders } from '../check/cases/every-order.ts'
import { CASES, type CheckCase } from '../check/cases.ts'
import { CheckError } from '../check/errors.ts'
import { type FoundPlan, findPlan } from '../check/find-plan.ts'
import type { CheckedGateway } from '../check/gateway.ts'
import { readPlan, type ShopUnderCheck } from '../check/plan.ts'
import { renderCauses, renderJunit, renderResult, renderSummary } from '../check/report.ts'
import { linkFix, renderHtml } from '../check/report-html.ts'
import type { CheckReport, UnexplainedResult } from '../check/results.ts'
import { findCases, readResultId, runCheck } from '../check/run.ts'
import { request } from '../check/shop-calls.ts'
import { type CheckTime, MACHINE_TIME } from '../check/time.ts'
import { makePrintable } from '../domain/characters.ts'
import { parseFlags } from './flags.ts'
import type { RunGateway } from './running-gateway.ts'
import type { Environment } from './setting-sources.ts'
import { isLoopback } from './settings.ts'
import { findReason, StartError } from './start-error.ts'
import { findMerchant } from './tool-context.ts'
import { CHECK_FLAGS } from './verbs/table.ts'

/** Seconds for one case, and for one sequence of events, if the shop answers immediately. */
const [SECONDS_A_CASE, SECONDS_A_SEQUENCE] = [0.5, 0.1]

const describeCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

type Flags = ReturnType<typeof readFlags>['values']

/**
 * Checks a shop as described in docs/how-to/check-my-shop.md.
 * @param time the time in which the check waits
 * @returns 0 if no case failed, 1 if a case failed, 2 if the check stopped early, 130 after Ctrl-C
 * @throws StartError
 */
export async function check(
  argv: readonly string[],
  env: Environment,
  print: (text: string) => void,
  run: RunGateway,
  time: CheckTime = MACHINE_TIME,
): Promise<number> {
  const { values, words } = readFlags(argv)
  if (values.list) {
    for (const { name, done, must } of CASES) print(`${name.padEnd(26)} ${done} ${must}`)
    return 0
  }
  const shopUrl = readShopUrl(words)
  const interruption = listenForInterruption()
  const say = values.json ? () => {} : print
  const { gateway, close } = await openCheckedGateway(values, env, say, run)
  try {
    if (values.init) {
      await writePlan(values.plan, await findPlan(gateway, shopUrl, time), print)
      return 0
    }
    const { signal } = interruption
    return await checkShop(shopUrl, values, gateway, { print, say, signal, time })
  } catch (error) {
    throw toStartError(error)
  } finally {
    interruption.close()
    await close()
  }
}

interface CheckRun {
  readonly print: (text: string) => void
  /** Prints for people; not with --json. */
  readonly say: (text: string) => void
  readonly signal: AbortSignal
  readonly time: CheckTime
}

/** Runs the cases, writes the reports, and returns the exit code. */
async function checkShop(
  shopUrl: string,
  values: Flags,
  gateway: CheckedGateway,
  { print, say, signal, time }: CheckRun,
): Promise<number> {
  const shop = readPlan(await readFile(values.plan, 'utf8'), shopUrl, gateway.url)
  const seed = readNumber('--seed', values.seed)
  const leastChecked = readNumber('--min-checked', values['min-checked']) ?? 0
  const chosen = {
    only: values.only ?? [],
    ...(seed !== undefined && { seed }),
    ...(values.repeat !== undefined && readResultId(values.repeat)),
  }
  const cases = findCases(chosen.only)
  const seconds = estimateSeconds(cases, shop)
  const onLogin = () =>
    say(
      `Buys in ${shopUrl} for ${describeCount(cases.length, 'case')} and holds the webhooks of merchant ${gateway.merchant.id} meanwhile. ` +
        `Takes about ${describeCount(seconds, 'second')}, and up to ${shop.settle / 1000} more for each case that fails. Ctrl-C ends it.`,
    )
  const progress = createProgress(cases.length, !values.json && process.stderr.isTTY)
  const onResult = (result: UnexplainedResult) => {
    progress.clear()
    say(renderResult(result))
  }
  const callbacks = { onLogin, onStart: progress.show, onResult }
  const report = await runCheck(gateway, shop, { ...chosen, signal, time, ...callbacks })
  progress.clear()
  await writeReports(report, values, shopUrl, gateway, say)
  print(values.json ? JSON.stringify(report, null, 2) : renderSummary(report))
  if (signal.aborted) return 130
  if (report.ended !== undefined) return 2
  const checked = report.results.filter(({ verdict }) => verdict !== 'not checked').length
  if (checked < leastChecked) {
    say(`The check needs ${describeCount(leastChecked, 'case')}, and checked ${checked}.`)
    return 1
  }
  return report.results.some(({ verdict }) => verdict === 'failed') ? 1 : 0
}

function estimateSeconds(cases: readonly CheckCase[], { events = [] }: ShopUnderCheck): number {
  const hasSequences = cases.some(({ name }) => name === 'every-order')
  const sequences = hasSequences ? listOrders(events).length : 0
  return Math.ceil(cases.length * SECONDS_A_CASE + sequences * SECONDS_A_SEQUENCE)
}

async function writeReports(
  report: CheckReport,
  { junit, html, plan }: Flags,
  shopUrl: string,
  gateway: CheckedGateway,
  say: (text: string) => void,
): Promise<void> {
  const command = `mondido-gateway check ${shopUrl} --plan ${plan}`
  if (junit !== undefined) await writeFile(junit, renderJunit(report.results))
  if (html !== undefined) await writeFile(html, renderHtml(report, { shopUrl, command, gateway }))
  if (report.causes.length > 0) say(renderCauses(report, command, linkFix(gateway.url)))
}

function readShopUrl(words: readonly string[]): string {
  const [shopUrl = ''] = words
  if (words.length === 1 && URL.canParse(shopUrl)) return shopUrl
  throw new StartError(
    'check needs the address of a shop, such as: mondido-gateway check http://localhost:3000.',
    2,
  )
}

/** Aborts a signal on Ctrl-C, or when the reader of the output, such as head, has closed the pipe. */
function listenForInterruption() {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.on(signal, stop)
  process.stdout.on('error', stop)
  return {
    signal: stopping.signal,
    close() {
      for (const signal of SIGNALS) process.off(signal, stop)
      process.stdout.off('error', stop)
    },
  }
}

/** Returns errors of the check and of files as errors for the operator, and others as they are. */
function toStartError(error: unknown): unknown {
  const { code, path = '' } = error as NodeJS.ErrnoException
  if (error instanceof CheckError) return new StartError(error.message, 2, { cause: error })
  if (code === undefined) return error
  const text = `The file ${path} cannot be used: ${findReason(error)}.`
  return new StartError(text, 2, { cause: error })
}

/**
 * Uses the gateway that runs, or starts one on this machine if none does.
 * @throws StartError when the gateway of another machine does not answer
 */
async function openCheckedGateway(
  values: Flags,
  env: Environment,
  say: (text: string) => void,
  run: RunGateway,
): Promise<{ readonly gateway: CheckedGateway; close(): Promise<void> }> {
  const url = (values.gateway ?? env.MONDIDO_BASE_URL ?? 'http://localhost:4400').replace(/\/$/, '')
  if (await isAnswering(url)) {
    const controlKey = values['control-key'] ?? env.MONDIDO_CONTROL_KEY ?? ''
    const merchant = findMerchant(values, env)
    return { gateway: { url, controlKey, merchant }, close: async () => {} }
  }
  const { hostname, port, protocol } = new URL(url)
  if (!isLoopback(hostname) || protocol !== 'http:')
    throw new StartError(`No gateway answers at ${url}.`, 2)
  const started = await run(
    ['--memory', '--port', port || '80'],
    { ...env, LOG_LEVEL: 'silent' },
    () => {},
  )
  say(`No gateway ran at ${url}: the check started one with data in memory.`)
  const merchant = findMerchant(values, env, [started.merchant])
  return {
    gateway: { url, controlKey: started.control.key ?? '', merchant },
    close: () => started.close(),
  }
}

const isAnswering = (url: string): Promise<boolean> =>
  request(url).then(
    () => true,
    () => false,
  )

/** @throws Error when the file exists already */
async function writePlan(
  file: string,
  { plan, missing }: FoundPlan,
  print: (text: string) => void,
) {
  await writeFile(file, `${JSON.stringify(plan, null, 2)}\n`, { flag: 'wx' })
  for (const line of [`Wrote ${file}.`, ...missing]) print(makePrintable(line))
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

function readFlags(argv: readonly string[]) {
  const { values, words } = parseFlags(
    CHECK_FLAGS,
    argv,
    (sentence) => new StartError(`${sentence}. See mondido-gateway check --help.`, 2),
  )
  return { words, values: { plan: 'shop-check.json', ...values } }
}

function readNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new StartError(`${flag} needs a number of at most 9 digits, not "${text}".`, 2)
}

/** Shows in one line of a terminal which case runs. */
function createProgress(count: number, isShown: boolean) {
  let started = 0
  return {
    show(name: string) {
      started += 1
      if (isShown) process.stderr.write(`\r\u001b[K${started} of ${count}: ${name}`)
    },
    clear() {
      if (isShown) process.stderr.write('\r\u001b[K')
    },
  }
}
