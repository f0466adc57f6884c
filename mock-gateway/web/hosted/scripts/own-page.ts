import { runScriptAddress } from './own-page/script-address.ts'
import { watch } from './own-page/watch.ts'

/*
 * Watches over a page that its merchant wrote, perhaps years ago. It leaves nothing on the page:
 * old scripts find what they expect there, and a page that works is as it was written.
 */

const script = document.currentScript
if (script) watch(script.dataset)
script?.remove()
addEventListener('click', runScriptAddress)
