import { expect, test } from 'vitest'
import { readContract } from '../../helpers/contract.ts'
import { inRepository } from '../../helpers/documents.ts'
import { generateCalls } from './generate.ts'

test("the client's calls and types are those of the contract", async () => {
  await expect(generateCalls(readContract())).toMatchFileSnapshot(inRepository('mock-gateway/client/calls.ts'))
})
