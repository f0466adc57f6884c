import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { CheckedGateway } from '../../../mock-gateway/check/gateway.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import type { CaseResult } from '../../../mock-gateway/check/results.ts'
import { type CheckOptions, runCheck } from '../../../mock-gateway/check/run.ts'
import type { CheckTime } from '../../../mock-gateway/check/time.ts'
import { check } from '../../../mock-gateway/cli/check.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import type { PlantedFault } from './planted.ts'
import { startSmallShop } from './shop.ts'

/** The address of an order of the small shop. */
export const ORDER = '/orders/{payment_ref}.json'

/** Starts a gateway for the tests of a file, and closes the shops of each test. */
export function useGateway() {
  let gateway: RunningGateway
  let folder: string
  const shops: { close(): unknown }[] = []
  beforeAll(async () => {
    gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
    folder = await mkdtemp(join(tmpdir(), 'mondido-check-'))
  })
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.close()
  })
  afterAll(async () => {
    await gateway.close()
    await rm(folder, { recursive: true })
  })

  const closeLater = <Shop extends { close(): unknown }>(shop: Shop): Shop => {
    shops.push(shop)
    return shop
  }
  const reach = () => ({
    url: gateway.url,
    controlKey: gateway.control.key ?? '',
    merchant: gateway.merchant,
  })
  const createEnvironment = () => ({
    MONDIDO_BASE_URL: gateway.url,
    MONDIDO_CONTROL_KEY: gateway.control.key,
  })
  return {
    closeLater,
    reach,
    /** Options of an example shop. */
    shopOptions: () => ({ port: 0, gateway: gateway.addresses, merchant: gateway.merchant }),
    base: () => gateway.addresses.base,
    startSmallShop: async (fault?: PlantedFault) =>
      closeLater(await startSmallShop(gateway.addresses.base, gateway.merchant, fault)),
    /** @param checked parts of the gateway that differ */
    run: (
      shopUrl: string,
      plan: object,
      options: CheckOptions,
      checked: Partial<CheckedGateway> = {},
    ) =>
      runCheck(
        { ...reach(), ...checked },
        readPlan(JSON.stringify(plan), shopUrl, gateway.url),
        options,
      ),
    /** Calls the control API. */
    async control(path: string, method = 'GET', fields?: Record<string, string>) {
      const headers = { 'x-control-key': gateway.control.key ?? '' }
      const body = fields ? new URLSearchParams(fields) : null
      return (await fetch(`${gateway.url}/_control${path}`, { method, headers, body })).json()
    },
    /** Runs the command with a plan in a file; undefined: the file is missing. */
    async command(
      plan: string | undefined,
      args: readonly string[],
      { time, env = createEnvironment() }: CommandOptions = {},
    ) {
      const file = join(folder, 'plan.json')
      await rm(file, { force: true })
      if (plan !== undefined) await writeFile(file, plan)
      const printed: string[] = []
      const all = [...args, '--plan', file]
      const status = await check(all, env, (text) => void printed.push(text), runGateway, time)
      return { status, printed: printed.join('\n'), file, plan: await readFile(file, 'utf8') }
    },
  }
}

interface CommandOptions {
  readonly time?: CheckTime
  /** Default: the gateway's. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Returns the names of the cases with a verdict. */
export const findNames = (
  results: readonly CaseResult[],
  verdict: CaseResult['verdict'],
): readonly string[] =>
  results.filter((result) => result.verdict === verdict).map((result) => result.case)
