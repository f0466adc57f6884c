import type { SnapshotName } from '../../merchants/snapshots.ts'
import { type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId } from './read.ts'

/** A name is a part of addresses and a word on the command line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/**
 * Reads which snapshot a call is for.
 * @param named the name in the address; undefined: the parameter `name`
 * @throws errors.request.bad_format (253), errors.merchant.not_found (104)
 */
export function readSnapshotName(parameters: Parameters, named?: string): SnapshotName {
  const name = named ?? text(pickOnly(parameters, ['name']), 'name')
  if (named !== undefined) pickOnly(parameters, [])
  if (name !== undefined && NAME.test(name)) return { merchantId: readMerchantId(parameters), name }
  throw badFormat(
    'name must have 1 to 64 letters, digits, dots, hyphens and underscores, and begin with a letter or a digit.',
  )
}
