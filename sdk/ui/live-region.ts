import type { Settings } from '../settings/options.ts'
import { createMessage, write } from './message.ts'

/** Read aloud all the same. Set through the style object, which content security policies allow. */
const HIDDEN = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'

/** Where a form's texts are said. */
export interface LiveRegion {
  /**
   * Says a text; an empty one puts the region in its place, for screen readers tell only of changes
   * of what is there.
   * @param isVisible whether option `showMessages` draws it
   */
  say(text: string, lang: string, settings: Settings, isVisible: unknown): void
  clear(): void
  remove(): void
}

/**
 * The live region of a form. It stands inside the form: a modal dialog silences everything around
 * it.
 */
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
