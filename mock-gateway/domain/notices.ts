import { LANGUAGES } from './language/languages.ts'
import { type HashVariant, listUncoveredParts } from './order/hash.ts'

/** Facts of each notice, by its code. */
interface NoticeFacts {
  /** The hash does not use the canonical recipe. */
  'hash.recipe': { readonly recipe: HashVariant }
  /** The hash covers the amount in another spelling than the request. */
  'hash.amount_spelling': object
  /** The hash uses the previous secret, which is valid until this time (epoch milliseconds). */
  'hash.previous_secret': { readonly until: number }
  /** A card number was in a field for other data. */
  'card_number.misplaced': object
  /** `sent` is null for a text that does not look like a language. */
  'language.unsupported': { readonly name: 'locale' | 'lang'; readonly sent: string | null }
  /** The parameter exists, but not for this call, such as 'a capture'. */
  'parameter.unused': { readonly name: string; readonly call: string }
  /** `name` is null for a text that does not look like a name: it may be a value. */
  'parameter.unknown': { readonly name: string | null; readonly meant: string | null }
  /** Unused parameters that have no notice of their own. */
  'parameter.more': { readonly count: number }
  /** A plan was paid, but no card was stored. */
  'subscription.not_created': object
}

/** Something that the gateway has noticed in a request that it accepted, perhaps not as meant. */
export type Notice = {
  [Code in keyof NoticeFacts]: { readonly code: Code; readonly facts: NoticeFacts[Code] }
}[keyof NoticeFacts]

/** English sentences of the notices, for integrators. */
const SENTENCES: { readonly [Code in keyof NoticeFacts]: (facts: NoticeFacts[Code]) => string } = {
  'hash.recipe'({ recipe }) {
    const uncovered = listUncoveredParts(recipe)
    const warning = uncovered.length > 0 ? ` It does not cover ${uncovered.join(' and ')}.` : ''
    return `hash matched the recipe "${recipe}", not the canonical one.${warning}`
  },
  'hash.amount_spelling': () =>
    'hash covers the amount with two decimals, but the amount was sent in another form. Send amounts as text with two decimals.',
  'hash.previous_secret': ({ until }) =>
    `hash was made with the previous secret, which is valid until ${new Date(until).toISOString()}. Use the new secret.`,
  'card_number.misplaced': () =>
    'A card number in another field was masked. Send card numbers only in card_number.',
  'language.unsupported': ({ name, sent }) =>
    `${sent === null ? `The value of \`${name}\`` : `\`${name}=${sent}\``} is not supported. It can be ${Object.keys(LANGUAGES).join(' or ')}.`,
  'parameter.unused': ({ name, call }) => `\`${name}\` is not used by ${call}.`,
  'parameter.unknown': ({ name, meant }) =>
    `${quoteName(name)} is not a parameter of this call.${meant ? ` Did you mean \`${meant}\`?` : ''}`,
  'parameter.more': ({ count }) => `${count} more parameters are not used.`,
  'subscription.not_created': () =>
    'No subscription was created, because only a stored card can be charged again.',
}

const quoteName = (name: string | null) => (name === null ? 'A parameter' : `\`${name}\``)

/** Returns the English sentence of a notice. */
export const describeNotice = ({ code, facts }: Notice): string => SENTENCES[code](facts as never)

/** Returns the facts of the first notice with this code. */
export const findFacts = <Code extends keyof NoticeFacts>(
  notices: readonly Notice[],
  wanted: Code,
): NoticeFacts[Code] | undefined =>
  notices.find(({ code }) => code === wanted)?.facts as NoticeFacts[Code] | undefined

/** Returns the unused parameters among notices, as a sentence names them: "`currnecy`". */
export const listUnusedParameters = (notices: readonly Notice[]): readonly string[] =>
  notices.flatMap(({ code, facts }) =>
    code === 'parameter.unused' || code === 'parameter.unknown' ? quoteName(facts.name) : [],
  )
