export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [each, value] of Object.entries(attributes)) made.setAttribute(each, value)
  made.append(...children)
  return made
}

export function say(text: string): void {
  let voice = document.querySelector('.voice')
  if (!voice) {
    voice = element('p', { class: 'unseen', role: 'status' })
    document.body.append(voice)
  }
  voice.textContent = text
}
