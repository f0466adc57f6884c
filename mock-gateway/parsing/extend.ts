import { type Parameters, text } from './parameters/parameters.ts'

/**
 * What a payer may see in full: the card that has just been typed (observed: 6.8), not what the
 * merchant keeps.
 */
const OPEN_TO_PAYERS: ReadonlySet<string> = new Set(['stored_card'])

/**
 * Names of `extend`, comma-separated or as a list; whatever means nothing is ignored (observed:
 * 6.8). It is read when the work is done, so it refuses nothing.
 */
export function readExtend(
  parameters: Parameters,
  { loggedIn }: { readonly loggedIn: boolean },
): ReadonlySet<string> {
  const sent = parameters.extend
  const written =
    typeof sent === 'object' && sent !== null
      ? Object.values(sent)
      : (text(parameters, 'extend') ?? '').split(',')
  const names = written
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => name !== '' && (loggedIn || OPEN_TO_PAYERS.has(name))))
}
