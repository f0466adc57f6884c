import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { CASES } from '../check/cases.ts'
import { CheckError, readPlan } from '../check/plan.ts'
import { junitOf, lineOf, summaryOf } from '../check/report.ts'
import { findCases, runCheck } from '../check/run.ts'
import { reasonOf, StartError } from './start-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

const FLAGS = {
  plan: { type: 'string', default: 'shop-check.json' },
  gateway: { type: 'string' },
  'control-key': { type: 'string' },
  merchant: { type: 'string' },
  password: { type: 'string' },
  only: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  junit: { type: 'string' },
} as const

/**
 * Checks a shop as docs/how-to/check-my-shop.md says.
 * @returns 0 when no case failed, 1 when one did, 130 when Ctrl-C ended it
 * @throws StartError
 */
export async function check(argv: readonly string[], env: Environment, print: (text: string) => void): Promise<number> {
  const { values, positionals } = readFlags(argv)
  if (values.list) {
    for (const { name, done, must } of CASES) print(`${name.padEnd(26)} ${done} ${must}`)
    return 0
  }
  const [shopUrl = ''] = positionals
  if (positionals.length !== 1 || !URL.canParse(shopUrl))
    throw new StartError('check needs the address of a shop, such as: mondido-gateway check http://localhost:3000.', 2)
  const gateway = {
    url: (values.gateway ?? env.MONDIDO_BASE_URL ?? 'http://localhost:4400').replace(/\/$/, ''),
    controlKey: values['control-key'] ?? env.MONDIDO_CONTROL_KEY ?? '',
    merchant: {
      id: Number(values.merchant ?? env.MONDIDO_MERCHANT_ID ?? 1),
      password: values.password ?? env.MONDIDO_PASSWORD ?? 'custom00',
    },
  }
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.on('SIGINT', stop)
  try {
    const shop = readPlan(await readFile(values.plan, 'utf8'), shopUrl)
    const { only = [] } = values
    const many = findCases(only).length
    const repeat = `mondido-gateway check ${shopUrl} --plan ${values.plan}`
    if (!values.json)
      print(
        `Buys ${many} times or more in ${shopUrl} and holds the webhooks of merchant ${gateway.merchant.id} meanwhile.`,
      )
    const results = await runCheck(gateway, shop, {
      only,
      signal: stopping.signal,
      onResult: (result) => values.json || print(lineOf(result, repeat)),
    })
    if (values.junit !== undefined) await writeFile(values.junit, junitOf(results))
    print(values.json ? JSON.stringify(results, null, 2) : summaryOf(results))
    if (stopping.signal.aborted) return 130
    return results.some(({ verdict }) => verdict === 'failed') ? 1 : 0
  } catch (error) {
    if (error instanceof CheckError) throw new StartError(error.message, 2, { cause: error })
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new StartError(`The file cannot be used: ${reasonOf(error)}.`, 2, { cause: error })
  } finally {
    process.off('SIGINT', stop)
  }
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true })
  } catch (error) {
    throw new StartError(`${reasonOf(error)}.`, 2, { cause: error })
  }
}
