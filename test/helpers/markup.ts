import { expect } from 'vitest'

const MARKUP = `"'><img src=x onerror=alert(1)>`

/** Returns the same value with markup in place of every text. */
export function withMarkup<Value>(value: Value): Value {
  const replaced = (part: unknown): unknown => {
    if (typeof part === 'string') return MARKUP
    if (typeof part === 'function') return () => MARKUP
    if (Array.isArray(part)) return part.map(replaced)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, replaced(each)]))
  }
  return replaced(value) as Value
}

/** Expects that a page contains the markup only as text. */
export function expectEscaped(page: unknown): void {
  expect(String(page)).toContain('&gt;&lt;img src=x')
  expect(String(page)).not.toMatch(/<img src=x|"'>/)
}
