import { globSync, readFileSync } from 'node:fs'
import type { Plugin } from 'rolldown'

/** A package whose code a bundle contains. */
interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  /** Text of its licence; empty if it has no file for it. */
  readonly text: string
}

/** Folder of the package that a module is from. */
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const [file] = globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e,COPYING}*', { cwd: folder })
  if (!license && !file) throw new Error(`${name} has no licence`)
  return { name, version, license, text: file ? readFileSync(`${folder}/${file}`, 'utf8') : '' }
}

const LINE = `\n\n${'-'.repeat(80)}\n\n`

/** Writes all licences in one text. */
export const licenceTexts = (packages: readonly BundledPackage[]): string =>
  packages
    .map(({ name, version, license, text }) =>
      `${name} ${version} (${license})\n\n${text.trim()}`.trim(),
    )
    .join(LINE)
    .concat('\n')

/** Describes a package by its address: https://github.com/package-url/purl-spec. */
function describeComponent(
  type: 'application' | 'library',
  { name, version }: { readonly name: string; readonly version: string },
) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, 'bom-ref': purl, name, version, purl }
}

/** Lists the packages as CycloneDX 1.6, because an audit cannot see bundled packages. */
export const createBillOfMaterials = (
  application: { readonly name: string; readonly version: string },
  packages: readonly BundledPackage[],
) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: describeComponent('application', application) },
  components: packages.map((each) => ({
    ...describeComponent('library', each),
    licenses: [{ expression: each.license }],
  })),
})

/**
 * Creates a plugin that writes the licences of all bundled packages, and a bill of materials. Both
 * include the packages of earlier builds with this plugin.
 */
export function licences(): Plugin {
  const folders = new Set<string>()
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        for (const id of output.type === 'chunk' ? output.moduleIds : [])
          for (const folder of PACKAGE.exec(id) ?? []) folders.add(folder)
      const packages = [...folders].sort().map(readPackage)
      const bill = createBillOfMaterials(readPackage('mock-gateway'), packages)
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: licenceTexts(packages) })
      this.emitFile({
        type: 'asset',
        fileName: 'sbom.cdx.json',
        source: `${JSON.stringify(bill, null, 2)}\n`,
      })
    },
  }
}
