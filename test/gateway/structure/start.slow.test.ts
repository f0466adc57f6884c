import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../../../mock-gateway/dist/', import.meta.url))

/** Returns the built files that a file imports at the start, directly or not, including itself. */
function readAtOnce(file: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(file)) return found
  const text = readFileSync(dist + file, 'utf8')
  found.set(file, text)
  for (const [, next] of text.matchAll(/^(?:import|export) .*?from "\.\/([^"]+)";$/gm))
    readAtOnce(`${next}`, found)
  return found
}

test('a start does not load the packages that are loaded on demand', () => {
  const text = [...readAtOnce('cli.js').values()].join('\n')
  const packages = new Set(
    [...text.matchAll(/^\/\/ node_modules\/([^/\n]+)/gm)].map(([, name]) => name),
  )
  expect([...packages]).toContain('express')
  for (const name of ['@remix-run', 'liquidjs', 'marked', 'nodemailer', 'pg', 'uqr', 'zod'])
    expect([...packages]).not.toContain(name)
  // See mock-gateway/domain/node-http.ts.
  expect(text).not.toMatch(/from "(?:node:)?http"/)
})

test.each(['home', 'docs', 'console', 'control'])(
  'the first request for web/%s does not load payment pages',
  (module) => {
    const router = `// mock-gateway/web/${module}/router.ts`
    const file = globSync('*.js', { cwd: dist }).find((each) =>
      readFileSync(dist + each, 'utf8').includes(router),
    )
    const text = [...readAtOnce(file ?? '').values()].join('\n')
    expect(text.includes(router)).toBe(true)
    expect(text.includes('// mock-gateway/web/hosted/router.ts')).toBe(false)
  },
)
