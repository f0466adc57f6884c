import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { findHelp } from '../../../mock-gateway/cli/help.ts'
import { runVerb } from '../../../mock-gateway/cli/verbs/run.ts'
import { VERBS } from '../../../mock-gateway/cli/verbs/table.ts'
import { runGateway, StartError } from '../../../mock-gateway/cli.ts'
import { inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { share, sharedFolder } from '../../helpers/shared.ts'
import { openSink } from '../../helpers/sink.ts'

const folder = await sharedFolder()
const shop = await share(openSink())
const gateway = await share(
  runGateway(['--port', '0', '--data', folder], { LOG_LEVEL: 'silent' }, () => {}),
)

/** Runs a command for the gateway of the data folder. */
async function run(line: string, env: Readonly<Record<string, string>> = {}) {
  const [name = '', ...args] = line.split(' ')
  const printed: string[] = []
  const status = await runVerb(name, [...args, '--data', folder], env, (text) => printed.push(text))
  return { status, output: printed.join('\n') }
}

/**
 * Runs a command that fails.
 * @returns its error output
 */
async function fail(
  line: string,
  env: Readonly<Record<string, string>> = {},
): Promise<[number, string]> {
  const error: unknown = await run(line, env).catch((thrown) => thrown)
  if (!(error instanceof StartError)) throw error
  return [error.exitCode, error.message]
}

const json = async (line: string) => JSON.parse((await run(`${line} --json`)).output)

test('pay pays with a test card', async () => {
  const { status, output } = await run('pay 12.50 eur --ref cli-1')
  expect([status, output]).toEqual([
    0,
    expect.stringMatching(/^approved 12\.50 eur, payment_ref cli-1, transaction \d+$/),
  ])
  expect(await json('pay 7')).toMatchObject({ status: 'approved', amount: '7.00' })
  expect(await json('pay --authorize')).toMatchObject({ status: 'authorized' })
})

test('pay exits with status 1 and the reason after a decline', async () => {
  expect(await fail('pay --cvv 201')).toEqual([
    1,
    expect.stringMatching(/\(error 129, errors\.payment\.declined\)\n.*this CVV/),
  ])
})

test("outcome sets the bank's answer to the next payments", async () => {
  expect((await run('outcome')).output).toBe('The card decides.')
  expect((await run('outcome declined --times 2')).output).toContain(
    'errors.payment.declined, 2 times',
  )
  expect(await fail('pay')).toEqual([
    1,
    expect.stringContaining('error 129, errors.payment.declined'),
  ])
  expect((await run('outcome clear')).output).toBe('The card decides.')
  expect((await run('pay')).status).toBe(0)
})

test('explain prints why the last request was rejected', async () => {
  await fetch(`${gateway.url}/v1/transactions`, {
    headers: { authorization: `Basic ${btoa('1:wrong-one')}` },
  })
  expect((await run('explain')).output).toMatch(
    /^GET \/v1\/transactions at .*: 401 errors\.authentication\.failed\n.+/,
  )
})

const ORDER = {
  payment_ref: 'X1',
  amount: '10.00',
  currency: 'sek',
  test: 'true',
  hash: 'wrong',
}

test.each([
  ['php', /^<\?php\n\$call = curl_init\('.*\/v1\/transactions'\);$/m],
  ['js', /^const answer = await fetch\(/m],
  ['ruby', /^require 'net\/http'/m],
  ['python', /^import base64/m],
])(
  'explain --language %s writes the rejected request with its correct hash',
  async (language, text) => {
    await fetch(`${gateway.url}/v1/transactions`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('1:custom00')}` },
      body: new URLSearchParams(ORDER),
    })
    const { output } = await run(`explain --language ${language}`)
    expect(output).toMatch(text)
    const [hash] = (await run('hash X1 10.00')).output.split('\n')
    expect(output).toContain(hash)
  },
)

test('explain writes no program that runs what a stranger sent', async () => {
  const payment_ref = 'x?><?php touch("PWNED");?>'
  await fetch(`${gateway.url}/v1/transactions`, {
    method: 'POST',
    body: new URLSearchParams({ ...ORDER, payment_ref, merchant_id: '1' }),
  })
  const { explain, sample } = JSON.parse((await run('explain --language php --json')).output)
  expect(explain).toContain('?>')
  expect(sample).not.toContain('?>')
})

test('hash prints the hash of an order, and finds the mistake in a wrong hash', async () => {
  const { output } = await run('hash A100 10.00')
  const [hash = ''] = output.split('\n')
  expect(hash).toMatch(/^[0-9a-f]{32}$/)
  expect((await run(`hash A100 10.00 --sent ${hash}`)).output).toBe('The hash is right.')
  const wrong = (await run('hash A100 10')).output.split('\n')[0]
  expect(await run(`hash A100 10.00 --sent ${wrong}`)).toEqual({
    status: 1,
    output: expect.stringContaining('The amount was hashed without decimals'),
  })
})

test("trigger sends a webhook and prints the shop's answer, and resend sends the webhook again", async () => {
  expect(await fail('trigger payment_success')).toEqual([
    2,
    expect.stringContaining('Name an address, such as --to'),
  ])
  const { status, output } = await run(`trigger payment_success --to ${shop.url}/hook`)
  expect([status, output]).toEqual([0, `payment_success to ${shop.url}/hook: 200`])
  const before = shop.received.length
  expect((await run('resend')).output).toMatch(
    /^Webhook \d+ \(payment_success\) is sent to .* again\.$/,
  )
  await expect.poll(() => shop.received.length).toBe(before + 1)
  expect(await fail('resend 99999')).toEqual([1, expect.stringMatching(/error \d+/)])
})

test('open prints an address that logs in to the console once', async () => {
  const url = (await run('open --print')).output
  await fetch(url, { method: 'HEAD', redirect: 'manual' })
  const first = await fetch(url, { redirect: 'manual' })
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';')
  expect([first.status, first.headers.get('location')]).toEqual([303, '/console'])
  const page = await fetch(`${gateway.url}/console/merchants`, {
    headers: { cookie },
    redirect: 'manual',
  })
  expect(page.status).toBe(200)
  const ticket = new URL(url).searchParams.get('ticket')
  const forged = cookie.replace(/=.*/, `=${ticket}`)
  for (const answer of [
    await fetch(url, { redirect: 'manual' }),
    await fetch(`${gateway.url}/console/merchants`, {
      headers: { cookie: forged },
      redirect: 'manual',
    }),
  ])
    expect(answer.headers.get('location')).toMatch(/^\/console\/login/)
  const ofMerchant = await fetch((await run('open --print --merchant 1')).output, {
    redirect: 'manual',
  })
  const [own = ''] = (ofMerchant.headers.get('set-cookie') ?? '').split(';')
  const all = await fetch(`${gateway.url}/console/merchants`, {
    headers: { cookie: own },
    redirect: 'manual',
  })
  expect(all.status).toBe(404)
})

test('tail prints requests, payments and webhooks as they arrive', async () => {
  const tail = startProgram(inRepository(GATEWAY_PROGRAM), ['tail', '--data', folder])
  await tail.printed(/Ctrl-C ends/)
  const { payment_ref } = await json('pay 3')
  await run(`trigger payment_success --to ${shop.url}/hook`)
  await fail('pay --cvv 201')
  await tail.printed(new RegExp(`payment \\d+ ${payment_ref} 3\\.00 sek approved`))
  await tail.printed(/webhook \d+ payment_success to .*\/hook delivered/)
  await tail.printed(/request POST \/v1\/transactions 400 errors\.payment\.declined/)
  expect(tail.output()).not.toContain('GET /_control/')
  expect(await tail.stop('SIGINT')).toBe(0)

  const failed = startProgram(inRepository(GATEWAY_PROGRAM), [
    'tail',
    'payments',
    '--failed',
    '--json',
    '--last',
    '50',
    '--data',
    folder,
  ])
  const line = await failed.printed(/"status":"declined"/)
  expect(JSON.parse(line)).toMatchObject({
    kind: 'payment',
    merchant_id: 1,
    error: expect.stringMatching(/^errors\./),
  })
  expect(failed.output()).not.toContain('approved')
  await failed.stop('SIGTERM')
})

describe('the verb clock', () => {
  test.each([
    ['+1month', 27, 32],
    ['+2weeks', 14, 14],
    ['+36h', 1.5, 1.5],
    ['+90s', 0, 0.01],
  ])('moves the clock by %s', async (move, least, most) => {
    await run('clock freeze')
    const before = new Date((await json('clock')).now)
    const days =
      (new Date((await json(`clock ${move}`)).now).getTime() - before.getTime()) / 86_400_000
    expect(days).toBeGreaterThanOrEqual(least)
    expect(days).toBeLessThanOrEqual(most)
  })
})

describe('a failure is reported in one sentence:', () => {
  test.each([
    ['payy', 2, 'There is no command "payy". mondido-gateway --help lists all commands.'],
    [
      'pay 1 sek more',
      2,
      '"more" is one word too many.\nUsage: mondido-gateway pay [amount] [currency]',
    ],
    ['pay --crad 4', 2, "Unknown option '--crad'.\nUsage: mondido-gateway pay [amount] [currency]"],
    ['pay --merchant x', 2, 'The merchant must be a number such as 1, not "x".'],
    ['pay --merchant 99', 2, 'pay needs MONDIDO_PASSWORD and MONDIDO_SECRET of merchant 99.'],
    [
      'trigger paid',
      2,
      /^The event must be one of payment, .*\nUsage: mondido-gateway trigger <event>$/,
    ],
    ['tail refunds', 2, /^tail prints requests, payments and webhooks, not "refunds"\./],
    ['tail --last many', 2, /^--last must be a number from 0 to 200\./],
    ['clock tomorrow', 2, /^The move must be \+1month, .* not "tomorrow"\./],
    ['clock +1fortnight', 2, /not "\+1fortnight"/],
    ['outcome errors.nothing', 1, /error 253/],
    ['outcome declined --times 0', 2, /^--times must be a number of at least 1\./],
    ['snapshot save', 2, /^snapshot save needs a name\./],
    ['snapshot keep it', 2, /^snapshot accepts save, restore, list and delete, not "keep"\./],
    ['snapshot save mine --merchant 1', 2, /^A snapshot contains the data of all merchants\./],
    ['snapshot list it', 2, /^snapshot list has no name\./],
    ['snapshot restore none', 1, /^There is no snapshot none\. .* \(error 196, /],
    ['snapshot save two/words', 1, /\nname must be 1 to 64 letters/],
    ['resend first', 2, /^The webhook must be a number, not "first"\./],
    ['hash A100', 2, /^hash needs payment_ref and amount\./],
    ['clock --control-key not-the-key-of-it', 1, /error 182/],
    [
      'clock --gateway http://127.0.0.1:9',
      1,
      /^The gateway does not answer: .* Is it still running\?$/,
    ],
  ])('%s', async (line, status, message) => {
    expect(await fail(line)).toEqual([
      status,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ])
  })

  test.each([
    [
      { NODE_USE_ENV_PROXY: '1' },
      'HTTP_PROXY sends this call to a proxy. Add 127.0.0.1 to NO_PROXY.',
    ],
    [{ NODE_OPTIONS: '--use-env-proxy' }, 'Add 127.0.0.1 to NO_PROXY.'],
    [{ NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost,127.0.0.1' }, 'Is it still running?'],
    [{}, 'Is it still running?'],
  ])('a proxy for calls to this machine, with %j', async (env, hint) => {
    const proxy = { HTTP_PROXY: 'http://127.0.0.1:9' }
    expect(await fail('clock --gateway http://127.0.0.1:9', { ...proxy, ...env })).toEqual([
      1,
      expect.stringContaining(hint),
    ])
  })

  test('a gateway that accepts the connection and never answers', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    const failed = fail('clock').finally(() => vi.restoreAllMocks())
    await expect(failed).resolves.toEqual([
      1,
      expect.stringMatching(/^The gateway does not answer: GET .* got no answer in 40000 ms\. Is/),
    ])
  })

  test.each([
    'hash A\u001b[2J 10.00',
    'hash A 10.00 \u009b2J',
    'clock \u001b]0;owned\u0007',
    'tail \u001b[2J',
  ])('without the control characters of %j', async (line) => {
    const said = await run(line).then(
      ({ output }) => output,
      (error: Error) => error.message,
    )
    expect(said).not.toMatch(/[^\P{C}\n]/u)
    expect(said).toContain('?')
  })

  test('a folder without a gateway', async () => {
    const error: unknown = await runVerb(
      'pay',
      ['--data', join(folder, 'none')],
      {},
      () => {},
    ).catch((thrown) => thrown)
    expect(String(error)).toMatch(
      /No gateway runs with the data folder .*none\. Start one with mondido-gateway/,
    )
  })

  test('a gateway with its data in memory, without an address', async () => {
    const error: unknown = await runVerb('pay', [], { MONDIDO_MEMORY: '1' }, () => {}).catch(
      (thrown) => thrown,
    )
    expect(String(error)).toMatch(/Set --gateway and MONDIDO_CONTROL_KEY/)
  })
})

test('the certificate of --tls is trusted', async () => {
  const data = join(folder, 'secure')
  const secure = await runGateway(
    ['--port', '0', '--tls', '--data', data],
    { LOG_LEVEL: 'silent' },
    () => {},
  )
  const program = startProgram(inRepository(GATEWAY_PROGRAM), ['pay', '--data', data])
  expect([await program.ended, program.output()]).toEqual([0, expect.stringMatching(/^approved/)])
  await secure.close()
  expect(await readFile(join(data, 'address'), 'utf8').catch(() => 'deleted')).toBe('deleted')
})

test.each([...Object.keys(VERBS), 'exec', 'check', 'mcp'])(
  'the help on %s fits on a screen',
  (name) => {
    const lines = findHelp(name)?.split('\n') ?? []
    expect(lines[0]).toMatch(new RegExp(`^mondido-gateway ${name}: `))
    expect([lines.length <= 40, lines.filter((line) => line.length > 80)]).toEqual([true, []])
  },
)
