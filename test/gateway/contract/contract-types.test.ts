import { expect, test } from 'vitest'
import { withOperationRows } from '../../../build/contract-types/operations.ts'
import { read } from '../../helpers/documents.ts'

test('the table of operations in the documents is the one that `npm run generate` writes', () => {
  const document = read('docs/reference/control.md')
  expect(document).toBe(withOperationRows(document))
})
