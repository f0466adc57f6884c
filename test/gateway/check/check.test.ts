import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { CASES } from '../../../mock-gateway/check/cases.ts'
import { CAUSE_LIST } from '../../../mock-gateway/check/causes.ts'
import { renderCauses, renderJunit, renderResult } from '../../../mock-gateway/check/report.ts'
import type { CaseResult } from '../../../mock-gateway/check/results.ts'
import { checkCases, checkShop } from '../../../mock-gateway/testing.ts'
import { COMMON_FIXES, linkFix, shortenResult } from './common-fixes.ts'
import { findNames, ORDER, useGateway } from './fixture.ts'
import { KIND_FAULTS } from './kinds.ts'
import { createManualTime } from './manual-time.ts'
import { FOUND_BY, type PlantedFault } from './planted.ts'
import { SMALL_PLAN } from './shop.ts'

const PLAN = {
  ...SMALL_PLAN,
  order: {
    get: ORDER,
    paid: "status = 'paid'",
    amount: 'amount',
    currency: 'currency',
    fulfilled: 'fulfilled',
    refunded: 'refunded',
  },
  settle: 1,
  quiet: 0,
}

/** Events that are tried in every order. */
const EVENTS = { events: ['return', 'webhook', 'refund'] }

const gateway = useGateway()

async function report(fault?: PlantedFault, plan: object = PLAN, only: readonly string[] = []) {
  const shop = await gateway.startSmallShop(fault)
  return gateway.run(shop.url, plan, { only, time: createManualTime() })
}

test('a correct shop passes every case', async () => {
  const { results } = await report(undefined, { ...PLAN, ...EVENTS })
  expect(findNames(results, 'failed')).toEqual([])
  expect(results.map((result) => result.case)).toEqual(CASES.map(({ name }) => name))
})

test.for(Object.keys(FOUND_BY) as PlantedFault[])(
  'the check finds a shop that %s',
  async (fault) => {
    const [cause, failed, passed = []] = FOUND_BY[fault]
    const { results, causes } = await report(fault, { ...PLAN, ...EVENTS }, [...failed, ...passed])
    expect([findNames(results, 'failed'), findNames(results, 'passed')]).toEqual([failed, passed])
    expect(causes.map((group) => group.cause)).toEqual([cause])
  },
)

test('the check shows the shortest order of events that breaks a shop, with its story', async () => {
  const { results } = await report('resets refunds at the return', { ...PLAN, ...EVENTS }, [
    'every-order',
  ])
  const [result] = results
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

test('the command names cause, fix and the command that repeats a failure, and exits with an error', async () => {
  const shop = await gateway.startSmallShop('fulfils twice')
  const only = ['--only', 'return-twice', '--only', 'return-unpaid']
  const { status, printed } = await gateway.command(JSON.stringify(PLAN), [shop.url, ...only])
  expect(status).toBe(1)
  expect(printed).toMatch(
    /failed +return-twice.*fulfilled \d times.*passed +return-unpaid.*One cause, case return-twice: .*\d\. The payer.*Fix: .*--repeat return-twice\n/s,
  )
  expect(printed).toContain('1 passed, 1 failed, 1 cause, 0 not checked')
})

test('the command verifies the login once', async () => {
  const shop = await gateway.startSmallShop()
  const flags = [shop.url, '--only', 'plain']
  using calls = vi.spyOn(globalThis, 'fetch')
  const { printed } = await gateway.command(JSON.stringify(PLAN), flags)
  const addresses = calls.mock.calls.map(([call]) =>
    call instanceof Request ? call.url : `${call}`,
  )
  const logins = addresses.filter((address) => /\/v1\/transactions\?.*limit=1$/.test(address))
  expect([logins.length, printed]).toEqual([1, expect.stringMatching(/^Buys in .* for 1 case /)])
  await expect(
    gateway.command(JSON.stringify(PLAN), [...flags, '--password', 'wrong']),
  ).rejects.toMatchObject({
    message: 'The gateway rejected the login. Check --merchant and --password.',
    exitCode: 2,
  })
})

test('the command writes JSON and JUnit', async () => {
  const shop = await gateway.startSmallShop()
  const file = join(tmpdir(), `mondido-check-${process.pid}.xml`)
  const flags = ['--only', 'plain', '--json', '--junit', file]
  const { status, printed } = await gateway.command(JSON.stringify(PLAN), [shop.url, ...flags])
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
  const shop = await gateway.startSmallShop()
  await expect(gateway.command(plan, [shop.url])).rejects.toMatchObject({
    message: expect.stringContaining(said),
    exitCode: 2,
  })
})

test('a test can check a shop case by case with the test kit', async () => {
  const small = await gateway.startSmallShop()
  const buy = async () => {
    const { headers } = await fetch(`${small.url}/buy`, { method: 'POST', redirect: 'manual' })
    return headers.get('location') ?? ''
  }
  const order = async (ref: string) => {
    const shown = await (await fetch(`${small.url}/orders/${ref}.json`)).json()
    return { ...shown, paid: shown.status === 'paid' }
  }
  const only = checkCases.slice(0, 1)
  const results = await checkShop(gateway.reach(), { buy, order, settle: 1000 }, { only })
  expect(results).toMatchObject([{ case: 'plain', verdict: 'passed' }])
})

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
