import { expect } from 'vitest'
import type { Answer } from '../../helpers/gateway.ts'

export const API = '/v1/transactions'

/** Outcome of an accepted request. */
export const ACCEPTED = 200

/** Returns `ACCEPTED`, or the error code of a rejection. */
export const outcome = ({ status, body }: Answer<unknown>): number =>
  status === 200 ? ACCEPTED : (body as { code: number }).code

/** Compares the outcome of each input with the expected one. */
export async function expectEach<Input>(
  inputs: readonly Input[],
  expected: number,
  send: (input: Input) => Promise<number>,
): Promise<void> {
  const seen: (readonly [Input, number])[] = []
  for (const input of inputs) seen.push([input, await send(input)])
  expect(seen).toEqual(inputs.map((input) => [input, expected]))
}
