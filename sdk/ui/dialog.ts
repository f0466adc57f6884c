import type { Scope } from '../scope.ts'
import { createElement } from './element.ts'

/** A button's text and what it does. */
export type Action = readonly [text: string, run: () => void]

const LOOKS =
  'max-width:calc(100vw - 5em);padding:1.5em;border:1px solid;border-radius:8px;font:1rem/1.5 system-ui,sans-serif;text-align:center'

/**
 * Shows a modal dialog until the scope ends: a text, which names it, more content, and buttons. The
 * last button is the way out, the Escape key does the same. Focus goes into it and afterwards back
 * to where it was. A page may give it its looks by its class.
 * @returns puts another text in the place of the first
 */
export function showDialog(
  scope: Scope,
  {
    text,
    lang,
    actions,
    content = [],
  }: { text: string; lang: string; actions: readonly Action[]; content?: Node[] },
): (text: string) => void {
  const dialog = createElement('dialog', { className: 'mondido-dialog', lang })
  dialog.style.cssText = LOOKS
  const paragraph = createElement('p', {})
  function say(textContent: string): void {
    dialog.setAttribute('aria-label', textContent)
    paragraph.textContent = textContent
  }
  say(text)
  dialog.append(paragraph, ...content)
  for (const [textContent, onclick] of actions) {
    const button = createElement('button', { type: 'button', textContent, onclick })
    button.style.cssText = 'margin:.5em;padding:.5em 1em;font:inherit'
    dialog.oncancel = onclick
    dialog.append(button)
  }
  scope.add(() => {
    dialog.close?.()
    dialog.remove()
  })
  document.body.append(dialog)
  // Browsers without dialogs show it at the end of the page.
  if (dialog.showModal) dialog.showModal()
  else dialog.setAttribute('open', '')
  return say
}
