import { expect, test } from 'vitest'
import { prepared, startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const metrics = async () => (await shop.browser.get<string>('/metrics')).body

test('/metrics returns text for Prometheus, with every sample below its own HELP and TYPE', async () => {
  const { status, headers, body } = await shop.browser.get<string>('/metrics')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  let family = ''
  for (const line of body.trimEnd().split('\n')) {
    const [, name] = /^# HELP (mondido_\w+) \S/.exec(line) ?? []
    if (name) family = name
    else if (line.startsWith('#'))
      expect(line).toMatch(new RegExp(`^# TYPE ${family} (counter|gauge)$`))
    else
      expect(line).toMatch(
        new RegExp(`^${family}(\\{\\w+="[^"]*"(,\\w+="[^"]*")*\\})? \\d[\\d.e+-]*$`),
      )
  }
})

test('/metrics counts requests by their route, never by an address', async () => {
  const { id } = (await shop.post('/v1/transactions', prepared())).body
  for (const _time of ['first', 'second']) await shop.get(`/v1/transactions/${id}`)
  await shop.get('/v1/transactions/999999')
  const of = (status: number) =>
    `mondido_http_requests_total{method="GET",route="/v1/transactions/:id",status="${status}"}`
  // A request is counted after its answer was sent, possibly after the client has received it.
  await expect.poll(metrics).toContain(`${of(200)} 2\n`)
  await expect.poll(metrics).toContain(`${of(404)} 1\n`)
  expect(await metrics()).not.toContain('transactions/999999')
})

test('/metrics measures the event loop from the first request on, and checks the database', async () => {
  await expect.poll(metrics).toMatch(/^mondido_event_loop_lag_seconds\{quantile="0.99"\} \d\S*$/m)
  const text = await metrics()
  expect(text).toMatch(/^mondido_database_up 1$/m)
  expect(text).toMatch(
    /^mondido_build_info\{version="\d+\.\d+\.\d+",node="\d.*",database="sqlite"\} 1$/m,
  )
})

test('/ready, /metrics and /health report whether the database answers', async () => {
  const { status, body } = await shop.browser.get<string>('/ready')
  expect([status, body]).toEqual([200, 'ready\n'])
  const other = await startGateway()
  await other.close()
  const answer = await other.gateway.handle(new Request('http://localhost:4400/ready'))
  expect([answer.status, await answer.text()]).toEqual([503, 'The database does not answer\n'])
  const text = await (
    await other.gateway.handle(new Request('http://localhost:4400/metrics'))
  ).text()
  expect(text).toContain('mondido_database_up 0\n')
  const health = await other.gateway.handle(new Request('http://localhost:4400/health'))
  expect(health.status).toBe(500)
})
