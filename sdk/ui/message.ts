/** A place for one text to the payer; pages give it its looks by its class. */
export function createMessage(): HTMLElement {
  const message = document.createElement('div')
  message.className = 'mondido-message'
  return message
}

/** Puts a text into its place. */
export function write(message: HTMLElement, text: string, lang: string): void {
  message.lang = lang
  message.textContent = text
}
