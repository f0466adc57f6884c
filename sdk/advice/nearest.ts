/** Counts the letters to add, delete, change or swap between two words. */
function measureDistance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const ways = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1)]
      next.push(Math.min(...ways, swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY))
    }
    before = row
    row = next
  }
  return at(row, to.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0

/** Keeps only letters and digits: `card-number` and `cardNumber` are the same word. */
const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns the known word nearest to a misspelt one; undefined if none is near. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, steps: measureDistance(plain(word), plain(each)) }))
    .filter(({ each, steps }) => steps <= Math.max(1, Math.floor(each.length / 3)))
    .sort((one, other) => one.steps - other.steps)
  return best?.each
}

/** Returns a sentence that suggests a known word for a misspelt one. */
export function suggest(word: string, known: readonly string[]): string {
  const meant = findNearest(word, known)
  return meant ? `Did you mean ${meant}?` : `There are: ${known.join(', ')}.`
}
