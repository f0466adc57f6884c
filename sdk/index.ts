import { install as installPlugin } from './jquery/plugin.ts'
import { createTools } from './jquery/tools.ts'
import { createLibrary } from './library.ts'
import type { ServedConfig } from './settings/served-config.ts'
import type { MondidoController, MondidoOptions } from './types.ts'

export type { FaultCode } from './errors/faults.ts'
export type { ServedConfig } from './settings/served-config.ts'
export type * from './types.ts'
export type { MessageKey } from './ui/messages.ts'

/** The copy of the library that importing this module makes. Nothing on the page is touched before a call. */
const library = createLibrary(() => import('./advice/adviser.ts'))

/** Takes a form over without jQuery; events arrive as the native twins `mondido:*`. Once for each form; later calls
 * change options.
 * @throws Error with `code` `form.not_a_form` */
export const createMondido = (form: HTMLFormElement, options?: MondidoOptions): MondidoController =>
  library.mount(form, options).controller

/** Adds `$.fn.mondido` and `$.mondido` to a jQuery.
 * @throws Error with `code` `integration.not_jquery` or `integration.jquery_too_old` */
export const install = (jq: JQueryStatic): void => installPlugin(jq, library)

/** Makes a merchant known, as the served script does. */
export const configure = (config: ServedConfig): void => library.configure(config)

/** `$.mondido` without jQuery: version, defaults, `encrypt`, `maxBytes` and the card helpers. */
export const { version, defaults, encrypt, maxBytes, card } = createTools(library)
