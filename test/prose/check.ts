/**
 * Counts hard-to-read patterns in each document, and fails if a document has more than its recorded
 * count.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findHits } from './patterns.ts'
import { textsOf } from './texts.ts'

/** Counts of one document: hits of patterns, and cells with too many words. */
interface Counts {
  readonly hits: number
  readonly longCells: number
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RECORDED = new URL('recorded.json', import.meta.url)
const NONE: Counts = { hits: 0, longCells: 0 }

const read = (path: string) => textsOf(path, readFileSync(ROOT + path, 'utf8'))

/** Folders whose source files have sentences for developers. */
const PRODUCT_TEXTS = [
  'mock-gateway/web/{api,console,control,docs,home,http,library}/**/*.ts',
  'mock-gateway/{acquirer,cards,cli,customers,domain,merchants,parsing,payments}/**/*.ts',
  'mock-gateway/{serializers,subscriptions,templates,testing,webhooks}/**/*.ts',
  'sdk/{advice,errors,settings}/**/*.ts',
]

const documents = globSync(
  [
    '*.md',
    'docs/**/*.md',
    'sdk/README.md',
    'mock-gateway/README.md',
    'examples/*.md',
    'test/*.md',
    'mock-gateway/contract/*.yaml',
    ...PRODUCT_TEXTS,
  ],
  { cwd: ROOT },
)
  .map((path) => path.replaceAll('\\', '/'))
  // The specification is not written by this project.
  .filter((path) => !path.endsWith('/specification.md'))
  .sort()

const recorded: Readonly<Record<string, Counts>> = JSON.parse(readFileSync(RECORDED, 'utf8'))
const [argument] = process.argv.slice(2)

if (argument && argument !== '--record') {
  const { hits, longCells } = findHits(read(argument))
  for (const { name, text } of [...hits, ...longCells])
    process.stdout.write(`${name}: … ${text} …\n`)
} else {
  const lowered: Record<string, Counts> = {}
  for (const path of documents) {
    const { hits, longCells } = findHits(read(path))
    const allowed = recorded[path] ?? NONE
    if (hits.length > allowed.hits || longCells.length > allowed.longCells) {
      process.stderr.write(
        `${path} has ${hits.length} hard-to-read patterns (allowed: ${allowed.hits}) and ` +
          `${longCells.length} long cells (allowed: ${allowed.longCells}). List them: npx node test/prose/check.ts ${path}\n`,
      )
      process.exitCode = 1
    }
    const counts = {
      hits: Math.min(hits.length, allowed.hits),
      longCells: Math.min(longCells.length, allowed.longCells),
    }
    if (counts.hits + counts.longCells > 0) lowered[path] = counts
  }
  if (argument) writeFileSync(RECORDED, `${JSON.stringify(lowered, null, 2)}\n`)
}
