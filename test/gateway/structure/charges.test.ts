import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { factsOf } from './facts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Imports of the payment module's files, by path. */
const files = globSync('mock-gateway/payments/**/*.ts', { cwd: root }).map((path) => {
  const { imports } = factsOf({ path, text: readFileSync(`${root}/${path}`, 'utf8') })
  const taken = imports
    .filter(({ typeOnly }) => !typeOnly)
    .flatMap(({ specifier, names }) =>
      names.map(
        (name) => `${posix.join(posix.dirname(path.replaceAll('\\', '/')), specifier)}#${name}`,
      ),
    )
  return { path: path.replaceAll('\\', '/').replace('mock-gateway/payments/', ''), taken }
})

const takersOf = (...what: readonly string[]) =>
  files
    .filter(({ taken }) => what.some((each) => taken.includes(`mock-gateway/${each}`)))
    .map(({ path }) => path)
    .sort()

test('every charge of a transaction is settled and recorded by finish.ts', () => {
  const charging = takersOf('payments/charge.ts#charge', 'payments/charge-by-answer.ts#chargeBy')
  expect(charging).toEqual([
    'answer.ts',
    'authentication/end.ts',
    'charge-recurring.ts',
    'charge.ts',
    'create.ts',
    'update.ts',
  ])
  const finishing = takersOf('payments/finish.ts#finish', 'payments/finish.ts#changeAndFinish')
  expect(charging.filter((path) => path !== 'charge.ts')).toEqual(finishing)
  const recording = takersOf('outbox/record.ts#record')
  expect(charging.filter((path) => recording.includes(path))).toEqual([])
  expect(
    takersOf('payments/settle-card.ts#settleCard', 'payments/subscribe.ts#settleSubscription'),
  ).toEqual(['finish.ts'])
})
