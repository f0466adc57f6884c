import { runScriptAddress } from './own-page/script-address.ts'
import { watch } from './own-page/watch.ts'

/*
 * Watches a merchant's own page for errors. It changes nothing on the page, because old scripts
 * depend on its contents.
 */

const script = document.currentScript
if (script) watch(script.dataset)
script?.remove()
addEventListener('click', runScriptAddress)
