import { posix } from 'node:path'
import { factsOf, type Source } from './facts.ts'

/**
 * Returns the import cycles of sources: files that all lead to each other, including imports of
 * types. Sorted, so that they can be compared with a list of allowed cycles.
 */
export function circlesIn(sources: readonly Source[]): string[][] {
  const known = new Set(sources.map(({ path }) => path))
  const targets = new Map(
    sources.map((source) => {
      const named = factsOf(source).imports.filter(({ specifier }) => specifier.startsWith('.'))
      const paths = named.map(({ specifier }) => posix.join(posix.dirname(source.path), specifier))
      return [source.path, paths.filter((path) => known.has(path))]
    }),
  )
  const reached = new Map([...known].map((path) => [path, reachedFrom(path, targets)]))
  const inCircle = [...known].filter((path) => reached.get(path)?.has(path)).sort()
  const circles = Map.groupBy(inCircle, (path) =>
    inCircle
      .filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path))
      .join(),
  )
  return [...circles.values()]
}

/**
 * Returns every file that a file imports, directly or not. The file itself is included only if it
 * is in a cycle.
 */
function reachedFrom(
  path: string,
  targets: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const ahead = [...(targets.get(path) ?? [])]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    ahead.push(...(targets.get(next) ?? []))
  }
  return reached
}
