import { type AdviceModule, linkDocumentsAt, setAdviceSource, tell } from './advice/tell.ts'
import { Fault, reportFault } from './errors/faults.ts'
import { mountForm } from './form/mount.ts'
import { createDefaults } from './settings/options.ts'
import type { MountedForm } from './state.ts'
import type { MondidoOptions, MondidoStatic, ServedConfig } from './types.ts'

/** One loaded copy of the library, with its merchants and forms. */
export interface Library {
  configs: ReadonlyMap<string, ServedConfig>
  defaults: MondidoStatic['defaults']
  /** Registers a merchant; a second one is allowed and reported. */
  configure(config: ServedConfig): void
  /**
   * Mounts the library on a form, once; later calls change its options.
   * @throws Fault `form.not_a_form`
   */
  mount(form: Element, options?: MondidoOptions): MountedForm
  find(form: Element): MountedForm | undefined
}

/**
 * Creates a copy without forms.
 * @param load loads its texts for integrators
 * @param configs its merchants; default: none
 */
export function createLibrary(
  load: () => Promise<AdviceModule>,
  configs: Map<string, ServedConfig> = new Map(),
  defaults = createDefaults(),
): Library {
  setAdviceSource(load)
  const forms = new WeakMap<Element, MountedForm>()
  return {
    configs,
    defaults,
    configure(config) {
      const other = [...configs.keys()].find((id) => id !== config.merchantId)
      if (other) tell('warn', 'page.two_merchants', { known: other, added: config.merchantId })
      linkDocumentsAt(config.cdnUrl)
      configs.set(config.merchantId, config)
    },
    mount(form, options = {}) {
      const mounted = forms.get(form)
      if (mounted) {
        if (Object.keys(options).length) mounted.controller.option(options)
        return mounted
      }
      if (!(form instanceof HTMLFormElement)) {
        const fault = new Fault('form.not_a_form', { facts: { tag: form?.localName } })
        reportFault(fault)
        throw fault
      }
      const fresh = mountForm(form, options, { configs, defaults })
      fresh.scope.add(() => forms.delete(form))
      forms.set(form, fresh)
      return fresh
    },
    find: (form) => forms.get(form),
  }
}
