import { type Parameters, text } from './parameters/parameters.ts'

/**
 * Objects that a payer may see in full: the card just typed (observed: 6.8), but no data of the
 * merchant.
 */
const OPEN_TO_PAYERS: ReadonlySet<string> = new Set(['stored_card'])

/**
 * Reads the names in `extend`, comma-separated or as a list; unknown ones are ignored (observed:
 * 6.8). It is read after the work is done, so it never throws.
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
