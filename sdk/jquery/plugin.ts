import { tell } from '../advice/tell.ts'
import { receive } from '../form/accept.ts'
import type { Sink } from '../form/events.ts'
import type { Library } from '../library.ts'
import type { MountedForm } from '../state.ts'
import type { MondidoOptions, MondidoStatic } from '../types.ts'
import { runCommand } from './commands.ts'
import { createDelegation } from './delegation.ts'
import { requireJQuery } from './find.ts'
import { createTools } from './tools.ts'
import { endOfTriggered, isRelayed } from './triggered.ts'

/**
 * Adds the plugin to a jQuery: `$.fn.mondido` and `$.mondido`. A jQuery that already has the same
 * major version keeps it, and gets the merchants of this copy.
 * @throws Fault `integration.not_jquery`, `integration.jquery_too_old`
 */
export function install($: JQueryStatic, library: Library): void {
  requireJQuery($)
  const plugin: JQuery['mondido'] | undefined = $.fn.mondido
  const earlier: MondidoStatic | undefined = $.mondido
  const tools: MondidoStatic = {
    ...createTools(library),
    install: (other) => install(other, library),
    noConflict() {
      Object.assign($.fn, { mondido: plugin })
      Object.assign($, { mondido: earlier })
      return tools
    },
  }
  if (earlier && parseMajor(earlier) === parseMajor(tools)) {
    for (const config of library.configs.values()) earlier.configure(config)
    return
  }
  const adopt = createAdopter($, library)
  const delegation = createDelegation($, library, adopt)
  function mondido(this: JQuery, first: MondidoOptions | string = {}, second?: unknown): unknown {
    if (!this.length) tell('warn', 'page.empty_set')
    if (typeof first === 'string') return runCommand(this, first, second, library, delegation)
    const options: MondidoOptions = { delegate: undefined, ...first }
    const { delegate } = options
    delete options.delegate
    this.each((_index, element) => {
      if (delegate === undefined) adopt(element, options)
      else delegation.start(element, delegate, options)
    })
    return this
  }
  $.fn.mondido = mondido as JQuery['mondido']
  $.mondido = tools
}

const parseMajor = ({ version }: MondidoStatic): string | undefined => version?.split('.')[0]

/** Mounts forms whose events and triggered submissions go through one jQuery. */
function createAdopter(
  $: JQueryStatic,
  library: Library,
): (form: Element, options: MondidoOptions) => MountedForm {
  const sink: Sink = ({ name, detail, extras }) => {
    // Without it, an inherited `type`, which some scripts add to every object, would become the
    // event's.
    const event: JQuery.Event = Object.assign($.Event(name, extras), {
      type: name,
      originalEvent: undefined,
    })
    // jQuery only keeps the last handler's return value; each one is collected here.
    const results: unknown[] = []
    const result = {
      get: () => results[results.length - 1],
      set: (value: unknown) => void results.push(value),
    }
    Object.defineProperty(event, 'result', result)
    $(extras.mondido.form).trigger(event, [detail])
    return { isPrevented: event.isDefaultPrevented(), results }
  }
  return (form, options) => {
    const mounted = library.mount(form, options)
    if (mounted.sinks.has(sink)) return mounted
    mounted.sinks.add(sink)
    const onSubmit = (event: JQuery.TriggeredEvent) => {
      if (event.target === form && !isRelayed(event)) receive(mounted, event, endOfTriggered($))
    }
    $(form).on('submit.mondido', onSubmit)
    mounted.scope.add(() => $(form).off('submit.mondido', onSubmit))
    return mounted
  }
}
