import { expect, test } from 'vitest'
import { generateContractTypes } from '../../../build/contract-types.ts'
import { read } from '../../helpers/documents.ts'

test('the generated types match the contract (`node build/contract-types.ts` writes them)', () => {
  for (const [path, source] of Object.entries(generateContractTypes()))
    expect(read(path), path).toBe(source)
})
