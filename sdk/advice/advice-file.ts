import { log } from '../log.ts'
import { describe, examine as examineForm } from './adviser.ts'
import { type Adviser, isLoopback } from './tell.ts'
import { watchScripts } from './watch-scripts.ts'

// Entry of `/v2/mondido-advice.js`: the explanations for developers. It starts to watch the scripts
// of the page.

export { describe }

/** Address of the explanations: at the gateway that serves this file, else in the package. */
const documents = new URL(import.meta.url).pathname.startsWith('/v2/')
  ? new URL('/docs', import.meta.url).href
  : 'mondido-js/docs/reference/library-messages.md'

/** The option `debug` loads this file on live pages, too, where no function is wrapped. */
const isTestPage = () =>
  isLoopback() ||
  [...document.querySelectorAll<HTMLInputElement>('[name=test]')].some(({ value }) =>
    /^(true|1)$/i.test(value),
  )

const watch = () =>
  isTestPage()
    ? watchScripts({
        report: (code, facts) =>
          log('warn', `${code}: ${describe(code, facts)} ${documents}#library-${code}`),
        list: (text) => log('debug', text),
      })
    : undefined

let onLibraryKnown = watch()

export const examine: Adviser['examine'] = (form, settings) => {
  onLibraryKnown ??= watch()
  onLibraryKnown?.()
  return examineForm(form, settings)
}
