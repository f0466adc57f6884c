import { expect, test } from 'vitest'
import { readContract } from '../../helpers/contract.ts'
import { inRepository } from '../../helpers/documents.ts'
import { generateWire } from './wire.ts'

test('the types of what is answered are those of the contract', () =>
  expect(generateWire(readContract())).toMatchFileSnapshot(inRepository('mock-gateway/contract/wire.ts')))
