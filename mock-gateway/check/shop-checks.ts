import type { Logger } from '../domain/ambient.ts'
import type { Changes } from '../domain/changes.ts'
import type { AskAs } from '../web/http/in-process.ts'
import { CheckError } from './errors.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { UnexplainedResult } from './results.ts'

/** Shop and plan, as they were typed. */
interface TypedPlan {
  readonly shop: string
  /** JSON, see docs/how-to/check-my-shop.md. */
  readonly plan: string
}

/** The last check of a merchant's shop. */
export interface ShopCheck extends TypedPlan {
  /** Last results by case, also from earlier checks of the same shop and plan. */
  readonly results: Map<string, UnexplainedResult>
  /** The progress of a check that is running. Its case is undefined before the first one. */
  running: { readonly case?: string; readonly finished: number; readonly total: number } | undefined
  /** Why the check ended before its last case. */
  ended: string | undefined
  readonly stopping: AbortController
  done: Promise<void>
}

/** Checks that are started in the console. They are kept until the gateway stops. */
export type ShopChecks = ReturnType<typeof createShopChecks>

interface ShopChecksDependencies {
  /** Address of the gateway, for payers. */
  readonly url: string
  readonly controlKey: string | undefined
  readonly ask: AskAs
  readonly changes: Changes
  readonly logger: Logger
}

/** Loads the cases at the first check: a gateway starts without them. */
const loadCheck = async () => ({ ...(await import('./run.ts')), ...(await import('./plan.ts')) })

export function createShopChecks(dependencies: ShopChecksDependencies) {
  const checks = new Map<number, ShopCheck>()

  /** Ends the running check with the results so far. */
  const stop = async (merchantId: number) => {
    const check = checks.get(merchantId)
    check?.stopping.abort()
    await check?.done
  }

  return {
    of: (merchantId: number): ShopCheck | undefined => checks.get(merchantId),
    /**
     * Starts a check and does not wait for its end.
     * @param name name of a case. Default: all
     * @throws CheckError when the plan cannot be used, or a check is running
     */
    async start(merchantId: number, typed: TypedPlan, name?: string) {
      const { findCases, readAddressPlan } = await loadCheck()
      const only = name === undefined ? [] : [name]
      findCases(only)
      const shop = readAddressPlan(typed.plan, typed.shop, dependencies.url)
      const last = checks.get(merchantId)
      if (last?.running) throw new CheckError('A check is running. Stop it first.')
      const isSame = last?.shop === typed.shop && last.plan === typed.plan
      const check: ShopCheck = {
        ...typed,
        results: new Map(isSame ? last.results : []),
        stopping: new AbortController(),
        running: { finished: 0, total: findCases(only).length },
        ended: undefined,
        done: Promise.resolve(),
      }
      checks.set(merchantId, check)
      check.done = run(dependencies, merchantId, check, shop, only)
    },
    stop,
    async close() {
      await Promise.all([...checks.keys()].map(stop))
    },
  }
}

async function run(
  { url, controlKey = '', ask, changes, logger }: ShopChecksDependencies,
  merchantId: number,
  check: ShopCheck,
  shop: ShopUnderCheck,
  only: readonly string[],
): Promise<void> {
  const { runCheck } = await loadCheck()
  const { results, stopping } = check
  const tell = () => changes.publish({ merchantId, topic: 'data' })
  const askGateway = (call: Request) =>
    ask(call.headers.has('x-control-key') ? undefined : merchantId, call)
  const show = (changed: { readonly case?: string; readonly finished?: number }) => {
    if (check.running) check.running = { ...check.running, ...changed }
    tell()
  }
  try {
    const merchant = { id: merchantId, password: '' }
    const { ended } = await runCheck({ url, controlKey, merchant, ask: askGateway }, shop, {
      only,
      signal: stopping.signal,
      onStart: (name) => show({ case: name }),
      onResult(result) {
        results.set(result.case, result)
        show({ finished: (check.running?.finished ?? 0) + 1 })
      },
    })
    check.ended = ended
  } catch (error) {
    const isExpected = error instanceof CheckError
    if (!isExpected) logger.error({ err: error }, 'The shop check stopped because of an error')
    check.ended = isExpected ? error.message : 'The check failed: see the log.'
  } finally {
    check.running = undefined
    tell()
  }
}
