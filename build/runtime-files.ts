/**
 * Writes the files that the built gateway reads at run time to `mock-gateway/dist`: style sheets and
 * pictures of its pages, and the contract as JSON.
 */
import { cpSync, globSync } from 'node:fs'

for (const path of globSync(['web/**/*.{css,svg}', 'contract/openapi.json'], {
  cwd: 'mock-gateway',
}))
  cpSync(`mock-gateway/${path}`, `mock-gateway/dist/${path}`)
