/** Stands for what is never written down. */
export const UNSEEN = '***'

/**
 * A text of JSON without these secrets, wherever somebody has put them, also in JSON that stands in
 * a text of it. One of fewer than four characters would stand everywhere.
 */
export const withoutSecrets = (
  json: string,
  secrets: readonly (string | null | undefined)[],
): string =>
  secrets.reduce<string>((text, secret) => {
    if (!secret || secret.length < 4) return text
    const once = escaped(secret)
    return text.replaceAll(escaped(once), UNSEEN).replaceAll(once, UNSEEN)
  }, json)

/** As JSON has it between its quotes. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1)
