import { globSync } from 'node:fs'
import { defineConfig } from 'rolldown'
import { licences } from './licences.ts'

const dir = 'mock-gateway/dist'
const plugins = [licences()]
/** Entries by their paths in `dist/`, which are those of the sources. */
const entries = (...names) =>
  Object.fromEntries(names.map((name) => [name, `mock-gateway/${name}.ts`]))

/** The package mondido-gateway, with the code of every package that it uses. */
export default defineConfig([
  {
    // A start reads three files, instead of six hundred.
    input: entries('gateway', 'cli'),
    platform: 'node',
    // An optional addition to pg that the gateway does not use.
    external: ['pg-native'],
    plugins,
    output: {
      dir,
      cleanDir: true,
      // Not the names of entries, such as client.js of the kit below.
      chunkFileNames: 'part-[name].js',
      // Comments are a sixth of the bytes that a start reads. LICENSES.txt has the licences.
      comments: false,
      codeSplitting: {
        groups: [
          // One file for the modules that both entries load at once.
          { name: 'start', tags: ['$initial'], minShareCount: 2 },
          // One file for what all pages share: Node takes half a millisecond for each file.
          { name: 'pages', test: /[\\/]web[\\/]pages[\\/]|taggedTemplateLiteral/ },
        ],
      },
    },
  },
  // The programs of threads: a thread reads one file, without the code of a start.
  ...['parsing/parameters/decrypt-worker'].map((name) => ({
    input: entries(name),
    platform: 'node',
    plugins,
    output: { dir, comments: false },
  })),
  {
    // The modules that programs import next to the gateway. They import the gateway above; a start does not read them.
    input: entries('client', 'testing', 'testing/vitest', 'testing/playwright', 'testing/msw'),
    platform: 'node',
    external: ['msw', 'vitest', /mock-gateway[\\/]gateway\.ts$/],
    output: {
      dir,
      chunkFileNames: 'kit-[name].js',
      paths: (id) => (id.endsWith('gateway.ts') ? './gateway.js' : id),
    },
  },
  // The scripts of the gateway's pages, for browsers of 2020.
  ...globSync('mock-gateway/web/*/scripts/*.ts').map((input) => ({
    input,
    transform: { target: 'es2020' },
    output: {
      file: input.replace('mock-gateway', dir).replace(/ts$/, 'js'),
      format: 'iife',
      minify: true,
    },
  })),
])
