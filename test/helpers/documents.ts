import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../')

/**
 * Paths of the documents: README and other files next to it, the READMEs of examples and tests, and
 * all files in docs/.
 */
export const DOCUMENTS: readonly string[] = [
  ...[
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'examples/README.md',
    'test/README.md',
  ],
  ...globSync('docs/**/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort(),
]

/** Returns the absolute path of a file of the repository. */
export const inRepository = (path: string): string => root + path

/** Reads a file of the repository, such as docs/reference/api.md. */
export const read = (path: string): string => readFileSync(inRepository(path), 'utf8')

/** Code block of a document. */
export interface Block {
  readonly language: string
  readonly code: string
}

/** Returns the code blocks of a document, in order. */
export const blocksOf = (path: string): Block[] =>
  [...read(path).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))

/**
 * Returns the code block that begins with a comment with its name, such as ` payments.test.js`.
 * @throws Error if there is none
 */
export function program(path: string, name: string): string {
  const found = blocksOf(path).find(({ code }) => code.startsWith(`// ${name}\n`))
  if (!found) throw new Error(`${path} has no program ${name}`)
  return found.code
}

/**
 * Runs a program of a document in this process, unchanged except for its imports.
 * @param modules modules that it can import, by name
 */
export async function runProgram(
  code: string,
  modules: Readonly<Record<string, object>>,
): Promise<void> {
  const body = code
    .replace(/^import .* from '.*'$/gm, (line) => line.replaceAll(' as ', ': '))
    .replace(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = modules[$2]')
    .replace(/^export default /m, 'modules.default = ')
  const AsyncFunction = runProgram.constructor as new (
    ...code: string[]
  ) => (modules: object) => Promise<void>
  await new AsyncFunction('modules', body)(modules)
}
