/**
 * Writes the files that the built gateway reads at run time to `mock-gateway/dist`: style sheets and
 * pictures of its pages, and the OpenAPI documents as JSON.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseContract, parseControl } from '../mock-gateway/web/docs/parse.ts'

for (const path of globSync('web/**/*.{css,svg}', { cwd: 'mock-gateway' }))
  cpSync(`mock-gateway/${path}`, `mock-gateway/dist/${path}`)

mkdirSync('mock-gateway/dist/contract', { recursive: true })
for (const [name, parse] of Object.entries({ openapi: parseContract, control: parseControl })) {
  const document = parse(readFileSync(`mock-gateway/contract/${name}.yaml`, 'utf8'))
  writeFileSync(`mock-gateway/dist/contract/${name}.json`, JSON.stringify(document))
}
