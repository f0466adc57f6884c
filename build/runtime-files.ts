import { globSync, readFileSync } from 'node:fs'
import type { Plugin } from 'rolldown'
import { parseContract, parseControl } from '../mock-gateway/web/docs/parse.ts'

const DOCUMENTS = { openapi: parseContract, control: parseControl }

/**
 * Plugin that emits the files that the gateway reads at run time: the style sheets and pictures of
 * its pages, and the OpenAPI documents.
 */
export const runtimeFiles = (): Plugin => ({
  name: 'runtime-files',
  generateBundle() {
    for (const fileName of globSync('web/**/*.{css,svg}', { cwd: 'mock-gateway' }))
      this.emitFile({ type: 'asset', fileName, source: readFileSync(`mock-gateway/${fileName}`) })
    for (const [name, parse] of Object.entries(DOCUMENTS)) {
      const document = parse(readFileSync(`mock-gateway/contract/${name}.yaml`, 'utf8'))
      this.emitFile({
        type: 'asset',
        fileName: `contract/${name}.json`,
        source: JSON.stringify(document),
      })
    }
  },
})
