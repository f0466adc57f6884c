/** Shared parts of the example programs: they call a running gateway and can move its clock. */
import { parseArgs } from 'node:util'
import type { Merchant } from './payment.ts'

export interface Sandbox {
  /** Address of the payment service, e.g. http://localhost:4400 */
  readonly gateway: string
  readonly merchant: Merchant
  /** Key of `/_control`. No real payment service has such a thing. */
  readonly controlKey: string
  print(line: string): void
}

/** The report of a moved clock; `at` and `now` as ISO 8601. */
export interface ClockReport {
  readonly now: string
  readonly happened: readonly { readonly at: string; readonly kind: string; readonly id: number }[]
}

/**
 * Moves the merchant's own clock, so that others on this gateway keep theirs. @throws Error when
 * the key is wrong
 */
export function createClock({ gateway, merchant, controlKey }: Sandbox) {
  const post = async (
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<ClockReport> => {
    const body = new URLSearchParams({ ...fields, merchant_id: String(merchant.id) })
    const headers = { 'X-Control-Key': controlKey }
    const answer = await fetch(`${gateway}/_control/clock/${path}`, {
      method: 'POST',
      body,
      headers,
    })
    if (answer.ok) return (await answer.json()) as ClockReport
    throw new Error(`The clock was not moved: ${await answer.text()}`)
  }
  return {
    advance: (by: Readonly<Record<string, string>>) => post('advance', by),
    /** Resets the clock to the machine's time. */
    giveBack: () => post('resume', { real: 'true', force: 'true' }),
  }
}

/**
 * Runs an example for the gateway that the arguments name; without arguments for the one of `npm
 * start`.
 */
export async function runProgram(run: (sandbox: Sandbox) => Promise<unknown>): Promise<void> {
  const { values } = parseArgs({
    options: {
      gateway: { type: 'string', default: 'http://localhost:4400' },
      merchant: { type: 'string', default: '1' },
      password: { type: 'string', default: 'custom00' },
      secret: { type: 'string', default: 'sandbox-secret' },
      'control-key': { type: 'string', default: process.env.MONDIDO_CONTROL_KEY ?? '' },
    },
  })
  const { gateway, password, secret, 'control-key': controlKey } = values
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    await run({
      gateway,
      merchant: { id: Number(values.merchant), password, secret },
      controlKey,
      print,
    })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
