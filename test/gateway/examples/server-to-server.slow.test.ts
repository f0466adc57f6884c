import { afterAll, beforeAll, expect, test } from 'vitest'
import { pay } from '../../../examples/server-to-server/pay.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { startProgram } from '../../helpers/program.ts'

const PROGRAM = 'examples/server-to-server/pay.ts'

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterAll(() => gateway.close())

test('a server reserves a payment, captures a part and refunds a part', async () => {
  const lines: string[] = []
  const id = await pay({
    gateway: gateway.url,
    merchant: gateway.merchant,
    print: (line) => lines.push(line),
  })
  expect(lines).toEqual([
    `Reserved 250.00 SEK on 411111******1111: transaction ${id} is authorized`,
    `Took 200.00 SEK of it: transaction ${id} is approved`,
    expect.stringMatching(/^Gave 50\.00 SEK back: refund \d+$/),
  ])
  const authorization = `Basic ${btoa(`${gateway.merchant.id}:${gateway.merchant.password}`)}`
  const answer = await fetch(`${gateway.url}/v1/transactions/${id}`, { headers: { authorization } })
  expect(await answer.json()).toMatchObject({
    status: 'approved',
    amount: '200.00',
    org_auth_amount: 250,
    captures: [{ amount: '200.00' }],
    refunds: [{ amount: '50.00', reason: 'One cup came broken' }],
  })
})

test('the program pays at the given gateway', async () => {
  const program = startProgram(PROGRAM, ['--gateway', gateway.url])
  expect(await program.ended).toBe(0)
  expect(program.output().split('\n')).toHaveLength(4)
})
