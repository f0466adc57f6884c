import { expect, test } from 'vitest'
import { generateContractTypes } from '../../../build/contract-types.ts'
import { read } from '../../helpers/documents.ts'

test('the table of operations in the documents is the one that `npm run generate` writes', () => {
  const path = 'docs/reference/control.md'
  expect(read(path)).toBe(generateContractTypes()[path])
})
