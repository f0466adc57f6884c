import { readFileSync, writeFileSync } from 'node:fs'
import { median, type Plan, ratios } from './compare.ts'
import { measureGrowth } from './growth.ts'
import { measureSize } from './size.ts'
import { measureCreate, measureList } from './speed.ts'
import { measureStart } from './start-up.ts'
import { measureWebhooks } from './webhooks.ts'

const README = new URL('../../README.md', import.meta.url)

const ROW = 'echo + one committed row'
const ECHO = 'bare Express echo'

/** Measures what README says of speed, and writes it there: CPU of one answer as times of a reference's. */
export async function writeReadme(plan: Plan): Promise<void> {
  const start = await measureStart(plan)
  const create = await measureCreate(plan)
  const list = await measureList(plan)
  const webhooks = await measureWebhooks(plan)
  const times = (...given: Parameters<typeof ratios<'cpu'>>) => spread(ratios(...given))
  const rows = [
    ['a start, to the first payment', 'a bare Express echo', times(start.fresh, start.echoes, 'cpu'), 'start'],
    ['a payment', 'an Express echo that commits one row', times(create.gateway, create[ROW], 'cpu'), 'create'],
    [
      'the same with a webhook',
      'without',
      times(webhooks['with one each'], webhooks['without webhooks'], 'cpu'),
      'webhooks',
    ],
    ['a page of ten', 'a bare Express echo as long', times(list.gateway, list[ECHO], 'cpu'), 'list'],
    [
      `memory after ${plan.creates.toLocaleString('en')} payments`,
      'a bare Express echo',
      (await measureGrowth(plan)).toFixed(1),
      'growth',
    ],
    ['bytes that a page loads', 'jQuery', (await measureSize()).toFixed(2), 'size'],
  ]
  const day = new Date().toISOString().slice(0, 10)
  const table = [
    `| CPU, measured on ${day} | Beside | Times that, and between which the rounds were | \`npm run bench --\` |`,
    '|---|---|---|---|',
    ...rows.map(([what, beside, figure, part]) => `| ${what} | ${beside} | ${figure} | \`${part}\` |`),
  ]
  const readme = readFileSync(README, 'utf8')
  writeFileSync(
    README,
    readme.replace(/(?<=\n## How quick\n\n)[\s\S]*?(?=\n\n##)/, () => table.join('\n')),
  )
}

/** The median, and the ends. */
const spread = (all: readonly number[]): string =>
  `${median(all).toFixed(1)} (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`
