import { createElement } from './element.ts'

/** A place for one text to the payer; pages give it its looks by its class. */
export const createMessage = (): HTMLElement =>
  createElement('div', { className: 'mondido-message' })

/** Puts a text into its place. */
export function write(message: HTMLElement, text: string, lang: string): void {
  message.lang = lang
  message.textContent = text
}
