import type { JsonObject } from '../domain/json.ts'
import { mergeMetadata } from '../domain/order/metadata.ts'
import { type CallParameters, object } from './parameters/parameters.ts'

/**
 * Reads the metadata; undefined if none is sent. @throws errors.metadata.invalid (2091), also if it
 * is longer than stored metadata may be
 */
export function readMetadata(sent: CallParameters<'metadata'>): JsonObject | undefined {
  const metadata = object(sent, 'metadata', 'errors.metadata.invalid')
  return metadata && mergeMetadata(null, metadata)
}
