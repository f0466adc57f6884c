import { type HashedPart, type HashedRequest, listHashedParts, listSpellings, md5 } from './hash.ts'
import {
  type HashMistake,
  type HashRecipe,
  listMistakes,
  RIGHT_ORDER,
  writeRecipe,
} from './hash-mistakes.ts'

/** A rejected hash, with the values it should cover. */
export interface RejectedHash {
  readonly request: HashedRequest
  readonly sent: string
  readonly secret: string
  /**
   * Values that could have been used instead of the secret, by name; empty if the caller may not
   * see them.
   */
  readonly mistaken?: Readonly<Record<string, string>>
}

/**
 * Depth of the search. `one`: a single mistake, for an error response. `all`: up to two mistakes at
 * once, and every order of the parts, for a page.
 */
export type SearchDepth = 'one' | 'all'

/**
 * Finds the mistake in a hash.
 * @returns sentences; empty if no common mistake matches. Never contains a
 *   secret or the sent value
 */
export function diagnoseHash(rejected: RejectedHash, depth: SearchDepth): readonly string[] {
  const { sent } = rejected
  if (Object.values(rejected.request).join('').length > LONGEST) return []
  if (sent !== sent.trim())
    return [BLANKS, ...diagnoseHash({ ...rejected, sent: sent.trim() }, depth)]
  for (const amount of listSpellings(rejected.request.amount)) {
    const base = createCanonicalRecipe({ ...rejected, request: { ...rejected.request, amount } })
    if (matchesSent(base, sent)) return []
    if (sent === writeRecipe(base) || sent === writeRecipe({ ...base, secret: '' }))
      return ['The text itself was sent. Send its MD5.']
    const mistakes = listMistakes(rejected.mistaken ?? {}).filter((each) => hasEffect(each, base))
    const found =
      depth === 'one'
        ? findSingleMistake(mistakes, base, sent)
        : findCombinedMistakes(mistakes, base, sent)
    if (found.length > 0) return found
  }
  return []
}

/** Maximum number of characters to hash, because each attempt hashes all of them. */
const LONGEST = 4_096

const BLANKS = 'The hash has spaces around it. Remove them.'

function findSingleMistake(
  mistakes: readonly HashMistake[],
  base: HashRecipe,
  sent: string,
): readonly string[] {
  const found = mistakes.find(({ make }) => matchesSent({ ...base, ...make(base) }, sent))
  return found ? [found.says] : []
}

/** Finds one mistake, two of different aspects, or another order of the parts. */
function findCombinedMistakes(
  mistakes: readonly HashMistake[],
  base: HashRecipe,
  sent: string,
): readonly string[] {
  const one = findSingleMistake(mistakes, base, sent)
  if (one.length > 0) return one
  for (const [index, { aspect, says, make }] of mistakes.entries()) {
    const others = mistakes.slice(index + 1).filter((other) => other.aspect !== aspect)
    const [other] = findSingleMistake(others, { ...base, ...make(base) }, sent)
    if (other) return [says, other]
  }
  const order = listPartOrders(base).find((each) => matchesSent({ ...base, order: each }, sent))
  return order
    ? [`The parts were hashed as ${order.map((part) => NAMES[part]).join(' + ')}. ${RIGHT_ORDER}`]
    : []
}

const createCanonicalRecipe = ({ request, secret }: RejectedHash): HashRecipe => ({
  ...request,
  currency: request.currency.toLowerCase(),
  test: request.test ? 'test' : '',
  order: listHashedParts('canonical'),
  glue: '',
  before: '',
  secret,
  digest: md5,
})

function matchesSent(recipe: HashRecipe, sent: string): boolean {
  const made = recipe.digest(writeRecipe(recipe), recipe.secret)
  return made === sent || made === sent.toLowerCase()
}

/** Returns false if the mistake would not change the recipe. */
const hasEffect = ({ make }: HashMistake, base: HashRecipe) =>
  Object.entries(make(base)).some(([name, value]) => value !== base[name as keyof HashRecipe])

const NAMES: Readonly<Record<HashedPart, string>> = {
  merchantId: 'merchant_id',
  paymentRef: 'payment_ref',
  customerRef: 'customer_ref',
  amount: 'amount',
  currency: 'currency',
  test: '"test"',
}

/** Lists every order of the parts that are not empty, at most 720. */
function listPartOrders(base: HashRecipe): readonly (readonly HashedPart[])[] {
  const orders = (left: readonly HashedPart[]): HashedPart[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((part) =>
          orders(left.filter((each) => each !== part)).map((rest) => [part, ...rest]),
        )
  return orders(base.order.filter((part) => base[part] !== ''))
}
