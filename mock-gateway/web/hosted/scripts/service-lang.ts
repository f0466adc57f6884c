import { serviceText } from './service/words.ts'

/*
 * Replaces the service's own script of texts, which pages of 2016 load as `default_lang_endpoint`:
 * translates the texts in `data-mulang` (observed: 11.8).
 */

/** `name`, `name:attribute` or `name['given', 'given']`. */
const WRITTEN = /^\s*([\w-]+)(?:\[(.*)\])?(?::([\w-]+))?\s*$/s

/** Attributes that only contain text. */
const ATTRIBUTES = ['placeholder', 'value', 'title', 'alt', 'aria-label']

function translate(element: Element): void {
  const [, name = '', given = '', attribute] =
    WRITTEN.exec(element.getAttribute('data-mulang') ?? '') ?? []
  const text = serviceText(
    name,
    [...given.matchAll(/'([^']*)'/g)].map(([, one = '']) => one),
  )
  if (text === undefined) return
  if (attribute === undefined) element.textContent = text
  else if (ATTRIBUTES.includes(attribute)) element.setAttribute(attribute, text)
}

function translateAll(): void {
  for (const element of document.querySelectorAll('[data-mulang]')) translate(element)
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', translateAll)
else translateAll()
