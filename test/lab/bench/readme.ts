import { readFileSync, writeFileSync } from 'node:fs'
import { median, type Plan, ratios } from './compare.ts'
import { measureGrowth } from './growth.ts'
import { measureSize } from './size.ts'
import { measureCreate, measureList } from './speed.ts'
import { measureStart } from './start-up.ts'
import { measureWebhooks } from './webhooks.ts'

const README = new URL('../../../README.md', import.meta.url)

const ROW = 'echo + one committed row'
const ECHO = 'bare Express echo'

/**
 * Measures the figures of the speed table in README, and writes them there as ratios to a baseline.
 */
export async function writeReadme(plan: Plan): Promise<void> {
  const start = await measureStart(plan)
  const create = await measureCreate(plan)
  const list = await measureList(plan)
  const webhooks = await measureWebhooks(plan)
  const times = (...given: Parameters<typeof ratios<'cpu'>>) => spread(ratios(...given))
  const rows = [
    [
      'CPU from start to first payment',
      'a minimal Express server',
      times(start.fresh, start.echoes, 'cpu'),
      'start',
    ],
    [
      'CPU per payment',
      'a minimal Express server that commits one row',
      times(create.gateway, create[ROW], 'cpu'),
      'create',
    ],
    [
      'CPU per payment with a webhook',
      'the same payment without one',
      times(webhooks['with one each'], webhooks['without webhooks'], 'cpu'),
      'webhooks',
    ],
    [
      'CPU per list of ten payments',
      'a minimal Express server with an answer of the same size',
      times(list.gateway, list[ECHO], 'cpu'),
      'list',
    ],
    [
      `Memory after ${plan.creates.toLocaleString('en')} payments`,
      'a minimal Express server',
      (await measureGrowth(plan)).toFixed(1),
      'growth',
    ],
    ['Library download, compressed', 'jQuery', (await measureSize()).toFixed(2), 'size'],
  ]
  const day = new Date().toISOString().slice(0, 10)
  const table = [
    `| Measured on ${day} | Compared with | Ratio: median (lowest to highest) | \`npm run bench --\` |`,
    '|---|---|---|---|',
    ...rows.map(
      ([measure, reference, ratio, part]) =>
        `| ${measure} | ${reference} | ${ratio} | \`${part}\` |`,
    ),
  ]
  const readme = readFileSync(README, 'utf8')
  writeFileSync(
    README,
    readme.replace(/(?<=\n## How fast\n\n)[\s\S]*?(?=\n\n##)/, () => table.join('\n')),
  )
}

/** Formats ratios: the median, with the lowest and the highest ratio in brackets. */
const spread = (all: readonly number[]): string =>
  `${median(all).toFixed(1)} (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`
