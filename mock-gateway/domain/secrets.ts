/** Replaces values that are never logged or stored. */
export const UNSEEN = '***'

/**
 * Removes secrets from a JSON text, including JSON inside its texts. Secrets of fewer than four
 * characters are ignored: they would match everywhere.
 */
export const removeSecretsFromText = (
  json: string,
  secrets: readonly (string | null | undefined)[],
): string =>
  secrets.reduce<string>((text, secret) => {
    if (!secret || secret.length < 4) return text
    const once = escapeForJson(secret)
    return text.replaceAll(escapeForJson(once), UNSEEN).replaceAll(once, UNSEEN)
  }, json)

/** Escapes a text as between the quotes of JSON. */
const escapeForJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** A secret, or the hash of a password, that a rotation replaced. */
export interface ReplacedSecret {
  readonly value: string | null
  /** Epoch milliseconds, exclusive: end of its validity. */
  readonly until: number | null
}

/**
 * Lists the valid secrets at a moment: the current one, and the replaced one until its validity
 * ends.
 * @param now epoch milliseconds
 */
export const listValidSecrets = (
  now: number,
  current: string,
  { value, until }: ReplacedSecret,
): readonly string[] => (value !== null && now < (until ?? 0) ? [current, value] : [current])
