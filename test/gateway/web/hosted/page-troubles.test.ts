import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { type Fields, preparePage, TEMPLATES } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'

const log: string[] = []

const logger = pino({ level: 'warn' }, { write: (line) => void log.push(line) })
const shop = await sharedGateway({ templates: TEMPLATES, logger })

const prepare = (over: Fields = {}) => preparePage(shop, { template_id: 3, ...over })
const tell = (path: string, fields: Fields) => shop.browser.submit(`${path}/trouble`, fields)
const reasonsOf = async (id: number) =>
  (await shop.get(`/v1/transactions/${id}`)).body.log_events.flatMap(({ data }) =>
    data.event === 'template_failed' ? [data] : [],
  )

describe('a report of the script on a merchant’s own page', () => {
  test('is in the log, with the payment and its template, once for each payment', async () => {
    const { id, path } = await prepare()
    const threw = { what: 'page_script', message: '$ is not defined', file: '', line: 12 }
    for (const fields of [threw, threw, { what: 'page_form' }, { ...threw, message: 'another' }])
      expect((await tell(path, fields)).status).toBe(204)
    const reasons = [
      'In a browser: $ is not defined (the page, line 12)',
      'In a browser: no form was visible after 3 seconds',
    ]
    expect((await reasonsOf(id)).map(({ what, reason }) => [what, reason])).toEqual([
      ['page_script', reasons[0]],
      ['page_form', reasons[1]],
    ])
    const lines = log.map((line) => JSON.parse(line))
    expect(lines.filter(({ transaction_id }) => transaction_id === id)).toMatchObject(
      reasons.map((reason) => ({ level: 40, transaction_id: id, template_id: 3, reason })),
    )
    const { failures } = (
      await controlOf(shop.gateway).get<{ failures: { reason: string }[] }>('/templates/3/problems')
    ).body
    expect(failures.map(({ reason }) => reason)).toEqual(expect.arrayContaining(reasons))
  })

  for (const [what, fields, reason] of [
    [
      'an address without its query',
      { file: 'https://code.example/a.js?card=1' },
      'https://code.example/a.js could not be loaded',
    ],
    [
      'no other kind of address',
      { file: 'data:text/javascript,4111111111111111' },
      'a script could not be loaded',
    ],
    [
      'no number that can be a card’s',
      { message: 'x 4111-1111 1111\n1111 cvv 200', line: 7 },
      'x *** cvv *** (the page, line 7)',
    ],
    ['200 characters', { message: 'x'.repeat(9_000) }, `${'x'.repeat(200)} (the page)`],
  ] as const)
    test(`is stored with ${what}`, async () => {
      const { id, path } = await prepare()
      await tell(path, { what: 'page_script', ...fields })
      expect((await reasonsOf(id)).map((each) => each.reason)).toEqual([`In a browser: ${reason}`])
    })

  test('is accepted only for page templates and existing payments', async () => {
    const { id, path } = await prepare({ template_id: undefined })
    expect((await tell(path, { what: 'page_form' })).status).toBe(204)
    expect(await reasonsOf(id)).toEqual([])
    expect((await tell(`/v1/form/${'x'.repeat(22)}`, { what: 'page_form' })).status).toBe(404)
    expect((await tell(path, { what: 'something' })).headers.get('mondido-explain')).toContain(
      'page_form',
    )
    expect((await shop.browser.get(`${path}/trouble`)).status).toBe(404)
  })
})
