import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CASES } from '../../../mock-gateway/check/cases.ts'
import { CAUSE_LIST } from '../../../mock-gateway/check/causes.ts'
import type { CaseResult } from '../../../mock-gateway/check/groups.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { renderCauses, renderJunit, renderResult } from '../../../mock-gateway/check/report.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { check } from '../../../mock-gateway/cli/check.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { checkCases, checkShop } from '../../../mock-gateway/testing.ts'
import { COMMON_FIXES, linkFix, shortenResult } from './common-fixes.ts'
import { KIND_FAULTS } from './kinds.ts'
import { createManualTime } from './manual-time.ts'
import { FOUND_BY } from './planted.ts'
import { type PlantedFault, SMALL_PLAN, type SmallShop, startSmallShop } from './shop.ts'

const ORDER = {
  get: '/orders/{payment_ref}.json',
  paid: "status = 'paid'",
  amount: 'amount',
  currency: 'currency',
  fulfilled: 'fulfilled',
  refunded: 'refunded',
}
const PLAN = { ...SMALL_PLAN, order: ORDER, settle: 1, quiet: 0 }

/** Events that are tried in every order. */
const EVENTS = { events: ['return', 'webhook', 'refund'] }

let gateway: RunningGateway
let shop: SmallShop | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterEach(() => shop?.close())
afterAll(() => gateway.close())

const reach = () => ({
  url: gateway.url,
  controlKey: gateway.control.key ?? '',
  merchant: gateway.merchant,
})

async function report(fault?: PlantedFault, plan: object = PLAN, only: readonly string[] = []) {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, fault)
  const options = { only, time: createManualTime() }
  return runCheck(reach(), readPlan(JSON.stringify(plan), shop.url, gateway.url), options)
}

const checked = async (...given: Parameters<typeof report>) => (await report(...given)).results

const named = (results: readonly CaseResult[], verdict: CaseResult['verdict']) =>
  results.filter((result) => result.verdict === verdict).map((result) => result.case)

test('a correct shop passes every case', async () => {
  const results = await checked(undefined, { ...PLAN, ...EVENTS })
  expect(named(results, 'failed')).toEqual([])
  expect(results.map((result) => result.case)).toEqual(CASES.map(({ name }) => name))
})

test.for(Object.keys(FOUND_BY) as PlantedFault[])(
  'the check finds a shop that %s',
  async (fault) => {
    const [cause, failed, passed = []] = FOUND_BY[fault]
    const { results, causes } = await report(fault, { ...PLAN, ...EVENTS }, [...failed, ...passed])
    expect([named(results, 'failed'), named(results, 'passed')]).toEqual([failed, passed])
    expect(causes.map((group) => group.cause)).toEqual([cause])
  },
)

test('the check shows the shortest order of events that breaks a shop, with its story', async () => {
  const [result] = await checked(
    'resets refunds at the return',
    { ...PLAN, events: ['return', 'webhook', 'refund'] },
    ['every-order'],
  )
  expect(result?.cause).toMatch(
    /^A later message resets .* When the events were (webhook, then refund|refund, then webhook), then return: 50\.00 was refunded .* shows 0\.00\.$/,
  )
  expect(result?.steps?.map(({ says }) => says).slice(-3)).toEqual([
    expect.stringMatching(/is refunded|The webhook .* arrives/),
    expect.stringMatching(/The webhook .* arrives/),
    expect.stringMatching(/browser opens/),
  ])
})

test('every case finds a planted fault', () => {
  const finding = new Set([...Object.values(FOUND_BY).flat(2), ...KIND_FAULTS.flat()])
  expect(CASES.map(({ name }) => name).filter((name) => !finding.has(name))).toEqual([])
})

test('after a check webhooks are sent as before, and no injected fault remains', async () => {
  await checked('hangs when the service is down', PLAN, ['answer-lost'])
  const control = async (path: string) => {
    const headers = { 'x-control-key': gateway.control.key ?? '' }
    return (await fetch(`${gateway.url}/_control${path}`, { headers })).json()
  }
  expect(await control('/webhooks/sending')).toMatchObject({ hold: false })
  expect(await control('/faults')).toEqual({ faults: [] })
})

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

async function command(plan: string, ...flags: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-check-'))
  folders.push(folder)
  await writeFile(join(folder, 'plan.json'), plan)
  const printed: string[] = []
  const env = { MONDIDO_BASE_URL: gateway.url, MONDIDO_CONTROL_KEY: gateway.control.key }
  const status = await check(
    [shop?.url ?? '', '--plan', join(folder, 'plan.json'), ...flags],
    env,
    (text) => {
      printed.push(text)
    },
    runGateway,
  )
  return { status, printed: printed.join('\n'), folder }
}

test('the command names cause, fix and the command that repeats a failure, and exits with an error', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, 'fulfils twice')
  const { status, printed } = await command(
    JSON.stringify(PLAN),
    '--only',
    'return-twice',
    '--only',
    'return-unpaid',
  )
  expect(status).toBe(1)
  expect(printed).toMatch(
    /failed +return-twice.*fulfilled \d times.*passed +return-unpaid.*One cause, case return-twice: .*\d\. The payer.*Fix: .*--repeat return-twice\n/s,
  )
  expect(printed).toContain('1 passed, 1 failed, 1 cause, 0 not checked')
})

test('the command writes JSON and JUnit', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant)
  const file = join(tmpdir(), `mondido-check-${process.pid}.xml`)
  const { status, printed } = await command(
    JSON.stringify(PLAN),
    '--only',
    'plain',
    '--json',
    '--junit',
    file,
  )
  expect([status, JSON.parse(printed)]).toMatchObject([
    0,
    { results: [{ case: 'plain', verdict: 'passed' }] },
  ])
  expect(await readFile(file, 'utf8')).toContain('tests="1" failures="0" skipped="0"')
  await rm(file)
  const failed: CaseResult = {
    case: 'plain',
    id: 'plain',
    verdict: 'failed',
    cause: 'a < b\0',
    fix: 'c & d\u001b]0;x\u0007',
    seconds: 1,
  }
  expect(renderJunit([failed])).toContain('<failure message="a &lt; b">c &amp; d]0;x</failure>')
  const group = { cause: 'plain', says: 'a', fix: failed.fix ?? '', cases: ['plain'] }
  const report = { results: [failed], causes: [group], gateway: '' }
  expect(renderResult(failed)).toMatch(/ a < b\?$/)
  expect(renderCauses(report, 'check', 'fixes')).toMatch(/Fix: c & d\?\]0;x\? fixes\n/)
})

test.for([
  ['no JSON', 'The plan is not JSON'],
  [JSON.stringify({ ...PLAN, bye: 1 }), 'The plan cannot be used'],
  [JSON.stringify({ ...PLAN, order: {} }), 'The plan cannot be used'],
] as const)('a bad plan ends with one sentence: %s', async ([plan, said]) => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant)
  await expect(command(plan)).rejects.toMatchObject({
    message: expect.stringContaining(said),
    exitCode: 2,
  })
})

test.for(checkCases.slice(0, 3))(
  'a test can check a shop case by case with the test kit: %s',
  async (name) => {
    const small = await startSmallShop(gateway.addresses.base, gateway.merchant)
    shop = small
    const buy = async () => {
      const { headers } = await fetch(`${small.url}/buy`, { method: 'POST', redirect: 'manual' })
      return headers.get('location') ?? ''
    }
    const order = async (ref: string) => {
      const shown = await (await fetch(`${small.url}/orders/${ref}.json`)).json()
      return { ...shown, paid: shown.status === 'paid' }
    }
    const results = await checkShop(reach(), { buy, order, settle: 1000 }, { only: [name] })
    expect(results).toMatchObject([{ case: name, verdict: 'passed' }])
  },
)

test('docs/reference/check-cases.md contains every case with its reason, and every cause with its fix', async () => {
  const text = await readFile(
    new URL('../../../docs/reference/check-cases.md', import.meta.url),
    'utf8',
  )
  for (const { name, done, must, why } of CASES)
    expect(text).toContain(`| \`${name}\` | ${done} | ${shortenResult(must)} | ${why} |`)
  for (const { says, fix } of CAUSE_LIST) expect(text).toContain(`| ${says} | ${linkFix(fix)} |`)
  for (const section of COMMON_FIXES) expect(text).toContain(section)
})
