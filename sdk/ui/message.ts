import { createElement } from './element.ts'

/** Creates an element for one text to the payer; pages style it by its class. */
export const createMessage = (): HTMLElement =>
  createElement('div', { className: 'mondido-message' })

/** Sets the text of a message. */
export function write(message: HTMLElement, text: string, lang: string): void {
  message.lang = lang
  message.textContent = text
}
