/** Creates an element with a text and attributes, in any document. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
  of: Document = document,
): HTMLElementTagNameMap[Name] {
  const made = of.createElement(name)
  made.textContent = text
  for (const [each, value] of Object.entries(attributes)) made.setAttribute(each, value)
  return made
}

/** Announces a text to screen readers. */
export function say(text: string): void {
  let voice = document.querySelector('.voice')
  if (!voice) {
    voice = element('p', '', { class: 'unseen', role: 'status' })
    document.body.append(voice)
  }
  voice.textContent = text
}
