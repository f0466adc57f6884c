import type { Scope } from '../scope.ts'
import { createElement } from './elements.ts'

/** Text and action of a button. */
export type DialogButton = readonly [text: string, run: () => void]

const LOOKS = 'padding:1.5em;border:1px solid;border-radius:8px;font:1rem/1.5 system-ui,sans-serif'

/** A modal dialog on the page. */
export interface Dialog {
  /** Opens the dialog, unless it is open. */
  open(): void
  /** Replaces its text. */
  say(text: string): void
}

/**
 * Creates a closed modal dialog, which is removed when the scope ends: a text, which names it, more
 * content, and buttons. The last button cancels, like the Escape key. The focus moves into it and
 * afterwards back. A page can style it by its class.
 */
export function createDialog(
  scope: Scope,
  {
    text,
    lang,
    actions,
    content = [],
  }: { text: string; lang: string; actions: readonly DialogButton[]; content?: Node[] },
): Dialog {
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
    button.style.cssText = 'margin:0 .5em .5em 0;padding:.5em 1em;font:inherit'
    dialog.oncancel = onclick
    dialog.append(button)
  }
  scope.add(() => {
    dialog.close?.()
    dialog.remove()
  })
  document.body.append(dialog)
  function open(): void {
    if (scope.isOver || dialog.open) return
    // Browsers without dialogs show it at the end of the page.
    if (dialog.showModal) dialog.showModal()
    else dialog.setAttribute('open', '')
  }
  return { open, say }
}
