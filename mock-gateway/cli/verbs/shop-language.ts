import { existsSync } from 'node:fs'
import { LANGUAGES, type Language } from '../../web/pages/call-samples.ts'
import { UsageError } from './verb.ts'

/** Files that show which language a shop is written in. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  php: ['composer.json', 'index.php'],
  ruby: ['Gemfile'],
  python: ['pyproject.toml', 'requirements.txt'],
  js: ['package.json'],
}

/**
 * Returns the language of a shop.
 * @param asked name of the language; undefined: the language of the files in the folder
 * @throws UsageError
 */
export function findLanguage(asked: string | undefined): Language | undefined {
  const sign = Object.entries(SIGNS).find(([, files]) => files.some((file) => existsSync(file)))
  const wanted = asked?.toLowerCase() ?? sign?.[0]
  const found = LANGUAGES.find(({ name, fence }) =>
    [name.toLowerCase(), fence].includes(wanted ?? ''),
  )
  if (asked === undefined || found) return found
  const names = LANGUAGES.map(({ fence }) => fence).join(', ')
  throw new UsageError(`There are samples for ${names}, not for "${asked}".`)
}
