import { expect, test } from 'vitest'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import { RETRIES, retryDelay } from '../../../mock-gateway/webhooks/schedule.ts'
import { read } from '../../helpers/documents.ts'

const DOCUMENT = read('docs/reference/webhooks.md')

test('docs/reference/webhooks.md lists every trigger, and no unknown trigger', () => {
  const section = DOCUMENT.split(/^## /m).find((part) => part.startsWith('Triggers')) ?? ''
  const [table = ''] = section.split('| `data_format`')
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, trigger]) => trigger)
  expect(listed.toSorted()).toEqual([...TRIGGERS].sort())
})

test('docs/reference/webhooks.md lists the delays between the attempts', () => {
  const listed = [...DOCUMENT.matchAll(/(?<=\| )(\d+) \| (\d+) to (\d+)/g)].map(([, ...numbers]) =>
    numbers.map(Number),
  )
  const delays = Array.from({ length: RETRIES }, (_, n) => [n, retryDelay(n, 0), retryDelay(n, 29)])
  expect(listed.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(delays)
})
