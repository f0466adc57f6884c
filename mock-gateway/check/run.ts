import { CASES, type CheckCase } from './cases.ts'
import { CheckError, type ShopUnderCheck } from './plan.ts'
import { type CheckedGateway, createStage, holdWebhooks, NotChecked, ShopFault } from './stage.ts'

/** What one case came to. */
export interface CaseResult {
  readonly case: string
  readonly verdict: 'passed' | 'failed' | 'not checked'
  /** Why it failed or was not checked. */
  readonly cause?: string
  /** How shops fix it. */
  readonly fix?: string
  readonly seconds: number
}

/** Which cases run, and who is notified. */
export interface CheckOptions {
  /** Names of cases. Default: all. */
  readonly only?: readonly string[]
  /** Ends the check after the case that runs. */
  readonly signal?: AbortSignal
  readonly onResult?: (result: CaseResult) => void
}

/** @throws CheckError when a name is unknown */
export function findCases(only: readonly string[] = []): readonly CheckCase[] {
  const unknown = only.find((name) => !CASES.some((each) => each.name === name))
  if (unknown !== undefined) throw new CheckError(`There is no case "${unknown}"; --list shows the cases.`)
  return only.length === 0 ? CASES : CASES.filter(({ name }) => only.includes(name))
}

/**
 * Runs cases against a shop, one after the other, and holds the webhooks of its merchant meanwhile.
 * @throws CheckError when the gateway cannot be used
 */
export async function runCheck(
  gateway: CheckedGateway,
  shop: ShopUnderCheck,
  { only, signal, onResult }: CheckOptions = {},
): Promise<readonly CaseResult[]> {
  const cases = findCases(only)
  const stage = createStage(gateway, shop)
  const release = await holdWebhooks(gateway)
  const results: CaseResult[] = []
  try {
    for (const each of cases) {
      if (signal?.aborted) break
      const started = performance.now()
      const judged = await judge(each, () => each.run(stage))
      const result = { case: each.name, ...judged, seconds: Math.round(performance.now() - started) / 1000 }
      results.push(result)
      onResult?.(result)
    }
  } finally {
    await release()
  }
  return results
}

async function judge({ fix }: CheckCase, run: () => Promise<void>): Promise<Omit<CaseResult, 'case' | 'seconds'>> {
  try {
    await run()
    return { verdict: 'passed' }
  } catch (error) {
    if (error instanceof ShopFault) return { verdict: 'failed', cause: error.message, fix }
    if (error instanceof NotChecked) return { verdict: 'not checked', cause: error.message }
    // The shop does not do what the plan says, so this is the cause and the fix of the case is not.
    if (error instanceof CheckError) return { verdict: 'failed', cause: error.message }
    throw error
  }
}
