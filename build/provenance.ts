import { readdirSync, readFileSync } from 'node:fs'
import type { OutputBundle, Plugin } from 'rolldown'

/** A package whose code the bundle contains. */
interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  /** The text of its licence. */
  readonly text: string
}

/** The folder of the package that a module is from. */
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/

/** Returns the folders of the packages in a bundle. */
function foldersOf(bundle: OutputBundle): string[] {
  const modules = Object.values(bundle).flatMap((output) =>
    'modules' in output ? Object.keys(output.modules) : [],
  )
  return modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? [])
}

function packagesIn(folders: ReadonlySet<string>): BundledPackage[] {
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
    if (!license && !file) throw new Error(`${name} has no licence`)
    return {
      name,
      version,
      license,
      text: file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : '',
    }
  })
}

const LINE = `\n\n${'-'.repeat(80)}\n\n`

/** All licences in one text. */
export const licenceTexts = (packages: readonly BundledPackage[]): string =>
  packages
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`.trim())
    .join(LINE)
    .concat('\n')

/** A package's address: https://github.com/package-url/purl-spec. */
const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

const componentOf = (
  type: string,
  { name, version }: { readonly name: string; readonly version: string },
) => ({
  type,
  'bom-ref': purl(name, version),
  name,
  version,
  purl: purl(name, version),
})

/** The bill of materials, as CycloneDX 1.6. */
export const billOfMaterials = (
  application: { readonly name: string; readonly version: string },
  packages: readonly BundledPackage[],
) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: componentOf('application', application) },
  components: packages.map((each) => ({
    ...componentOf('library', each),
    licenses: [{ expression: each.license }],
  })),
})

/**
 * Creates a plugin that emits the licences of all bundled packages, and a bill of materials: an
 * audit cannot see bundled packages. Both include the packages of earlier builds with this plugin.
 */
export function provenance(): Plugin {
  const folders = new Set<string>()
  return {
    name: 'provenance',
    generateBundle(_options, bundle) {
      for (const folder of foldersOf(bundle)) folders.add(folder)
      const packages = packagesIn(folders)
      const application = JSON.parse(readFileSync('mock-gateway/package.json', 'utf8'))
      const bill = JSON.stringify(billOfMaterials(application, packages), null, 2)
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: licenceTexts(packages) })
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: `${bill}\n` })
    },
  }
}
