import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseContract, parseControl } from './mock-gateway/web/docs/parse.ts'

/**
 * Lays copies of documents into a package, since npm packs nothing from outside its folder, before anything is built. A
 * link that would lead out of the package becomes plain text.
 * @param folder of the package: mock-gateway or sdk
 * @param patterns of the documents: those at the top go to the top, those of docs/ into docs/
 */
export const carry = (folder, patterns) => ({
  name: 'carry',
  buildStart() {
    const found = globSync(patterns)
    const names = new Set(found.map((path) => basename(path)))
    rmSync(`${folder}/docs`, { recursive: true, force: true })
    mkdirSync(`${folder}/docs`, { recursive: true })
    const kept = (link, text, target) =>
      /^(https?:|#)/.test(target) || names.has(basename(target.split('#')[0])) ? link : text
    for (const path of found) {
      if (!path.endsWith('.md')) copyFileSync(path, `${folder}/${path}`)
      else
        writeFileSync(`${folder}/${path}`, readFileSync(path, 'utf8').replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, kept))
    }
  },
})

/** What the gateway reads while it runs goes along, at the same places: the contract, and the views of the pages. */
const files = () => ({
  name: 'files',
  generateBundle() {
    for (const fileName of globSync('web/**/*.{liquid,css,svg}', { cwd: 'mock-gateway' }))
      this.emitFile({ type: 'asset', fileName, source: readFileSync(`mock-gateway/${fileName}`) })
    for (const [name, read] of [
      ['openapi', parseContract],
      ['control', parseControl],
    ]) {
      const document = read(readFileSync(`mock-gateway/contract/${name}.yaml`, 'utf8'))
      this.emitFile({ type: 'asset', fileName: `contract/${name}.json`, source: JSON.stringify(document) })
    }
  },
})

/** The folder of the package that a module is from. */
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/

/** Packages that have become a part of the gateway: their package.json, and the text of their licence. */
function packagesOf(bundle) {
  const modules = Object.values(bundle).flatMap((output) => Object.keys(output.modules ?? {}))
  const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
    if (!license && !file) throw new Error(`${name} has no licence`)
    return { name, version, license, text: file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : '' }
  })
}

/** Their licences go along, which they ask for; and a list of them as CycloneDX 1.6, since an audit sees no bundled package. */
const provenance = () => ({
  name: 'provenance',
  generateBundle(_options, bundle) {
    const packages = packagesOf(bundle)
    const texts = packages.map(({ name, version, license, text }) =>
      `${name} ${version} (${license})\n\n${text}`.trim(),
    )
    const line = `\n\n${'-'.repeat(80)}\n\n`
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: `${texts.join(line)}\n` })
    const components = packages.map(({ name, version, license }) => ({
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      licenses: [{ expression: license }],
    }))
    const { name, version } = JSON.parse(readFileSync('mock-gateway/package.json', 'utf8'))
    const component = { type: 'application', 'bom-ref': purl(name, version), name, version, purl: purl(name, version) }
    const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components }
    this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: `${JSON.stringify(bom, null, 2)}\n` })
  },
})

/** The address of a package as scanners write it: https://github.com/package-url/purl-spec. */
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * Importing a module of Node's reads all that it exports, WebSocket by node:http among it, and with that an HTTP client that
 * nobody asked for: a twentieth of a start. Taken as an object it gives what is taken from it.
 */
const builtinsAsObjects = () => ({
  name: 'builtins-as-objects',
  renderChunk: (code) =>
    code.replace(
      /^import (?:\* as )?(\w+|\{.*\}) from "(node:[\w/]+)";$/gm,
      (_line, names, module) =>
        `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule(${JSON.stringify(module)});`,
    ),
})

/**
 * Letters of other scripts as escapes: V8 keeps what it reads for as long as it runs, and gives every letter of a file two
 * bytes when one of them needs two.
 */
const oneByteLetters = () => ({
  name: 'one-byte-letters',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      if (/\\[^\0-\xFF]/.test(chunk.code)) this.error('A letter behind a backslash cannot be escaped')
      chunk.code = chunk.code.replace(/[^\0-\xFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
})

/** Of the thousand kinds of files that Express knows, those that the gateway has names for: reading all takes a thirtieth of a start. */
const usedKinds = () => ({
  name: 'used-kinds',
  load(id) {
    if (!/mime-db.db\.json$/.test(id)) return null
    const kinds = Object.entries(JSON.parse(readFileSync(id, 'utf8')))
    return JSON.stringify(
      Object.fromEntries(kinds.filter(([, { extensions }]) => extensions?.some((one) => USED.has(one)))),
    )
  },
})
const USED = new Set(['css', 'csv', 'eml', 'html', 'js', 'json', 'svg', 'txt'])

/**
 * What Express asks for and the gateway does not need, and what stands for it. `debug` would be asked, several times for
 * each layer, whether somebody wants to hear of it: a twentieth of a create. What reads bodies and long queries the gateway
 * has of its own; with its tables of encodings it is an eighth of what a start reads.
 */
const LEFT_OUT = {
  debug: 'module.exports = () => () => {}',
  'body-parser': 'module.exports = {}',
  qs: 'module.exports = {}',
}

const withoutUnused = () => ({
  name: 'without-unused',
  resolveId: (source) => (Object.hasOwn(LEFT_OUT, source) ? `\0${source}` : null),
  load: (id) => (id.startsWith('\0') ? LEFT_OUT[id.slice(1)] : null),
})

/** What programs import, each an entry of the package beside the gateway. */
export const KIT = ['client', 'testing', 'testing/vitest', 'testing/playwright', 'testing/msw']

/** The programs of threads, which stand in `dist/` where they stand in the sources. */
const WORKERS = ['parsing/parameters/decrypt-worker', 'templates/render-worker']

/** What an entry imports at once, directly or not. */
function importedBy(entry, context) {
  const found = new Set()
  const waiting = [entry]
  for (let id = waiting.pop(); id; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}

/** What every start reads, in one file: looking for each takes a millisecond. */
let start
const ofEachStart = {
  debugName: 'start',
  name(id, context) {
    start ??= importedBy(resolve('mock-gateway/gateway.ts'), context)
    return start.has(id) ? 'start' : null
  },
}

/** The gateway with every package that it is made of, so that a start reads a few files and not six hundred. */
const gateway = {
  input: {
    gateway: 'mock-gateway/gateway.ts',
    cli: 'mock-gateway/cli.ts',
    ...Object.fromEntries(WORKERS.map((worker) => [worker, `mock-gateway/${worker}.ts`])),
  },
  platform: 'node',
  // An addition to pg that somebody may have, and that nobody needs.
  external: ['pg-native'],
  plugins: [
    carry('mock-gateway', ['LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs/*.md']),
    builtinsAsObjects(),
    usedKinds(),
    withoutUnused(),
    oneByteLetters(),
    files(),
    provenance(),
  ],
  // Comments are a sixth of what a start reads; licences go along in a file of their own. Names that are `var` need not be
  // looked at for whether they have been set.
  output: {
    dir: 'mock-gateway/dist',
    format: 'es',
    chunkFileNames: '[name].js',
    comments: false,
    topLevelVar: true,
    codeSplitting: { groups: [ofEachStart] },
  },
}

/** The gateway as it is built: a kit is made for the one that its package has. */
const builtGateway = () => ({
  name: 'built-gateway',
  resolveId: (source, importer) =>
    source === './gateway.ts' && importer ? { id: './gateway.js', external: 'relative' } : null,
})

/** What programs import beside the gateway: a build of their own, so that a start reads nothing of it. */
const kit = {
  input: Object.fromEntries(KIT.map((name) => [name, `mock-gateway/${name}.ts`])),
  platform: 'node',
  external: ['msw', 'vitest'],
  plugins: [builtGateway()],
  output: { dir: 'mock-gateway/dist', format: 'es', chunkFileNames: 'kit-[name].js' },
}

/** The scripts of the gateway's pages, beside the views: see mock-gateway/web/pages/assets.ts. */
const pageScripts = globSync('mock-gateway/web/*/scripts/*.ts').map((input) => ({
  input,
  transform: { target: 'es2020' },
  output: {
    file: input.replace('mock-gateway', 'mock-gateway/dist').replace(/ts$/, 'js'),
    format: 'iife',
    minify: true,
  },
}))

/** The gateway for its package, and for `npm start`. */
export default [gateway, kit, ...pageScripts]
