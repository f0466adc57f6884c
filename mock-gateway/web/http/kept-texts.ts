import { maskNumber } from '../../domain/card/card-types.ts'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { isNested, type JsonList, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { UNSEEN } from '../../domain/without-secrets.ts'

/** Stands for what came encrypted. */
const ENCRYPTED = '(encrypted)'

/** Names under which somebody sends what nobody else may know, whatever the interface calls it. */
const SECRET_NAME = /pass_?(?:word|wd|phrase)|secret|cvv|cvc|cv2|security_?code|authorization|api_?key|private_?key/i

/** Names under which somebody sends the number of a card. */
const CARD_NAME = /card_?(?:number|no|nr|num)|^pan$/i

/** Characters of one value and of all, and how many values: what is longer, or more, is left out. */
const MOST = { characters: 2_000, all: 32_000, values: 400 } as const

/**
 * Parameters as they may be written down: without card numbers, codes and passwords wherever they stand, and with what came
 * encrypted as `(encrypted)`.
 */
export function keptParameters(parameters: JsonObject, encrypted: ReadonlySet<string>): JsonObject {
  let values: number = MOST.values
  let characters: number = MOST.all
  return keptMembers(parameters, 0)

  function cut(text: string): string {
    // More than is kept, so that no number is cut before it is masked; less than anybody may send.
    const masked = maskCardNumbers(text.slice(0, 2 * MOST.characters))
    const length = Math.min(masked.length, MOST.characters, Math.max(characters, 0))
    characters -= length
    return length === masked.length && text.length <= 2 * MOST.characters
      ? masked
      : `${masked.slice(0, length)}… (${text.length} characters)`
  }

  function kept(value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'string') return cut(value)
    if (!isNested(value)) return maskedNumber(value)
    if (isList(value)) return value.flatMap((item) => (values-- > 0 ? [kept(item, depth)] : []))
    return keptMembers(value, depth)
  }

  function keptMembers(value: JsonObject, depth: number): JsonObject {
    const members: [string, JsonValue][] = []
    for (const [name, member] of Object.entries(value)) {
      if (values-- <= 0) break
      members.push([cut(name), keptMember(name, member, depth)])
    }
    return Object.fromEntries(members)
  }

  function keptMember(name: string, member: JsonValue, depth: number): JsonValue {
    if (depth === 0 && encrypted.has(name)) return ENCRYPTED
    if (CARD_NAME.test(name)) return maskedCard(member)
    return SECRET_NAME.test(name) && member !== '' ? UNSEEN : kept(member, depth + 1)
  }
}

const maskedNumber = (value: JsonValue): JsonValue => {
  const text = String(value)
  const masked = maskCardNumbers(text)
  return masked === text ? value : masked
}

const isList = (value: JsonList | JsonObject): value is JsonList => Array.isArray(value)

/** First six and last four digits, also of a number that is mistyped. */
function maskedCard(value: JsonValue): JsonValue {
  if (typeof value !== 'string' && typeof value !== 'number') return value === null ? null : UNSEEN
  const text = String(value)
  const digits = text.replace(/\D/g, '')
  if (text === '' || /^\d{6}\*+\d{4}$/.test(text)) return text
  return digits.length < 12 || digits.length > 24 ? UNSEEN : maskNumber(digits.slice(0, 6), digits.slice(-4))
}
