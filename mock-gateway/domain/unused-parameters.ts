/**
 * Returns the sentence about a parameter that exists and that this call does not use. @param call
 * such as 'a capture'
 */
export const describeUnused = (name: string, call: string): string =>
  `\`${name}\` is not used by ${call}.`

/**
 * Returns the sentence about an unknown parameter. A text that does not look like a name is not
 * repeated: it may be a value in the wrong format. @param near the parameter that was probably
 * meant; in brackets, such as `metadata[order]`, only if the name is one that may be repeated
 */
export function describeUnknown(name: string, near: string | undefined): string {
  const isName = /^[A-Za-z][A-Za-z_]{0,39}$/.test(name) || near?.includes('[')
  const subject = isName ? `\`${name}\`` : 'A parameter'
  return `${subject} is not a parameter of this call.${near ? ` Did you mean \`${near}\`?` : ''}`
}

/**
 * Returns the unused parameters that an explanation names, each as the subject of its sentence:
 * "`currnecy`".
 */
export const unusedIn = (explain: string): readonly string[] =>
  explain.match(/(?:`[\w.[\]]+`|A parameter)(?= is not (?:used by|a parameter of) )/g) ?? []
