import type { Settings } from '../settings/options.ts'
import { createMessage, write } from './elements.ts'

/** Hidden, but read aloud. Set through the style object, which content security policies allow. */
const HIDDEN = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'

/** The live region of a form. */
export interface LiveRegion {
  /**
   * Announces a text; an empty one only creates the region, because screen readers only announce
   * changes of existing ones.
   * @param isVisible true with option `showMessages`
   */
  say(text: string, lang: string, settings: Settings, isVisible: unknown): void
  clear(): void
  remove(): void
}

/** Creates the live region inside the form: a modal dialog silences everything around it. */
export function createLiveRegion(form: HTMLFormElement): LiveRegion {
  const region = createMessage()
  return {
    say(text, lang, { announce, showMessages }, isVisible) {
      if (announce) region.setAttribute('role', 'status')
      region.style.cssText = showMessages && isVisible ? '' : HIDDEN
      if ((announce || showMessages) && !form.contains(region)) form.append(region)
      write(region, text, lang)
    },
    clear() {
      region.textContent = ''
      region.style.cssText = HIDDEN
    },
    remove: () => region.remove(),
  }
}
