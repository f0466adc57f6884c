/**
 * Writes the files that the built gateway reads at run time to `mock-gateway/dist`: style sheets and
 * pictures of its pages, and the contract as JSON.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseContract } from '../mock-gateway/web/docs/parse.ts'

for (const path of globSync('web/**/*.{css,svg}', { cwd: 'mock-gateway' }))
  cpSync(`mock-gateway/${path}`, `mock-gateway/dist/${path}`)

mkdirSync('mock-gateway/dist/contract', { recursive: true })
const contract = parseContract(readFileSync('mock-gateway/contract/openapi.yaml', 'utf8'))
writeFileSync('mock-gateway/dist/contract/openapi.json', JSON.stringify(contract))
