import { GatewayError } from '../errors.ts'

/** Keys that reach the prototype of a JavaScript object. */
const DANGEROUS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Refuses a key that could reach a prototype if the object were ever copied carelessly.
 * @throws GatewayError errors.metadata.invalid for `__proto__`, `constructor` and `prototype`, wherever they appear
 */
export function checkKey(key: string): void {
  if (DANGEROUS.has(key))
    throw new GatewayError('errors.metadata.invalid', {
      explain: 'A key may not be called __proto__, constructor or prototype; choose another name',
    })
}

/**
 * A parameter's name for an explanation. What does not look like a name is not repeated: when a body is sent in the
 * wrong format, its values, card data among them, end up where names are expected.
 */
export function nameForExplain(name: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(name) ? `The parameter ${name}` : 'A parameter'
}
