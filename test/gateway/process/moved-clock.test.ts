import { expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { clientAt, encode, type Fields, MERCHANT, payment } from '../../helpers/gateway.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { openSink } from '../../helpers/sink.ts'
import { filePlace, type Place, postgresPlace } from '../storage/databases.ts'

const KEY = 'a-key-of-this-test-alone'

const SET_BACK = new URL('clock-set-back.ts', import.meta.url).href

async function startWithClock(place: readonly string[]) {
  const flags = [...place, '--port', '0', '--control-key', KEY]
  const program = startProgram(GATEWAY_PROGRAM, flags, {
    LOG_LEVEL: 'silent',
    NODE_OPTIONS: `--import ${SET_BACK}`,
  })
  const url = new URL(/https?:\S+/.exec(await program.printed(/REST API/))?.[0] ?? '').origin
  const advance = async (fields: Fields) => {
    const headers = { 'x-control-key': KEY, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(`${url}/_control/clock/advance`, {
      method: 'POST',
      headers,
      body: encode(fields),
    })
    return {
      status: answer.status,
      explain: answer.headers.get('mondido-explain'),
      body: await answer.json(),
    }
  }
  return { program, advance, shop: clientAt(url, { ...MERCHANT, secret: DEFAULT_MERCHANT.secret }) }
}

/**
 * Starts to move a gateway's clock. The move does not end, because a webhook gets no answer.
 * @returns a function that kills the gateway
 */
async function beginMoving({ program, advance, shop }: Awaited<ReturnType<typeof startWithClock>>) {
  const sink = await openSink()
  sink.answer(500, () => {})
  const webhook = JSON.stringify({ trigger: 'payment', url: sink.url })
  await shop.post('/v1/transactions', payment({ webhook }))
  await sink.calls(1)
  const moved = advance({ days: 1 }).catch(() => 'cut off')
  await sink.calls(2)
  return async () => {
    await program.stop('SIGKILL')
    expect(await moved).toBe('cut off')
    await sink.close()
  }
}

const inPlace = (make: () => Promise<Place>, work: (place: Place) => Promise<void>) => async () => {
  const place = await make()
  await work(place)
  await place.remove()
}

test(
  'on SQLite, a clock can be moved again immediately after the process that was moving it was killed',
  inPlace(filePlace, async ({ target }) => {
    const place = ['--data', target.replace(/\/gateway\.db$/, '')]
    const kill = await beginMoving(await startWithClock(place))
    await kill()
    const { program, advance } = await startWithClock(place)
    expect(await advance({ days: 1 })).toMatchObject({ status: 200, body: { quiet: true } })
    await program.stop()
  }),
)

test(
  'on SQLite, a clock that another process is moving cannot be moved until that process is killed',
  inPlace(filePlace, async ({ target }) => {
    const place = ['--data', target.replace(/\/gateway\.db$/, '')]
    const [mover, other] = [await startWithClock(place), await startWithClock(place)]
    const kill = await beginMoving(mover)
    expect(await other.advance({ days: 1 })).toMatchObject({
      status: 400,
      explain: expect.stringContaining('again'),
    })
    await kill()
    expect(await other.advance({ days: 1 })).toMatchObject({ status: 200, body: { quiet: true } })
    await other.program.stop()
  }),
)

test(
  'on PostgreSQL, a clock whose moving process was killed reports when it can be moved again',
  inPlace(postgresPlace, async ({ target }) => {
    const place = ['--database', target]
    const mover = await startWithClock(place)
    const began = Date.now()
    const kill = await beginMoving(mover)
    await kill()
    const killed = Date.now()
    const { program, advance } = await startWithClock(place)
    // Sets the machine's clock back by an hour, so that the 45 seconds of the move have not passed,
    // however long the start has taken.
    process.kill(program.pid ?? 0, 'SIGUSR2')
    const { status, explain } = await advance({ days: 1 })
    const from = Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(explain ?? '')?.[0] ?? '')
    expect(status).toBe(400)
    expect(from).toBeGreaterThanOrEqual(began + 45_000)
    expect(from).toBeLessThanOrEqual(killed + 45_000)
    await program.stop()
  }),
)
