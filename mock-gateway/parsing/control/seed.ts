import { type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly } from './read.ts'

const LONGEST = 200

/** @throws errors.request.bad_format */
export function readSeed(parameters: Parameters): string {
  const seed = text(pickOnly(parameters, ['seed']), 'seed')
  if (seed !== undefined && seed !== '' && seed.length <= LONGEST) return seed
  throw badFormat(`seed must have 1 to ${LONGEST} characters.`)
}
