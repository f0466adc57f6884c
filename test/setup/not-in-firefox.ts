/** Functions that Firefox's driver lacks, with the titles of the browser tests that need them. */
const UNABLE: Readonly<Record<string, readonly string[]>> = {
  'it uses the browser’s own protocol, which only Chromium has': [
    'the browser’s own autofill',
    'in a modal dialog the live region is announced',
  ],
  'it neither shows nor forwards the body of a request': [
    'an annotated custom element is encrypted by',
    'no plain card number or CVV leaves the page',
    'the payer deletes a stored card with two presses',
    'the console shows the text to hash with default options',
    'nothing is paid, or the library or the shop finds the result of the payment',
    'the page reports a declined card, and the shop finds the result if answers are lost',
  ],
  'a field that it fills in fires no change event': [
    'are typed, corrected and paid with a stored card that needs its code',
    'a page of 2016 works with replacements',
  ],
  'it cannot redirect a request to another address': ['axe finds no accessibility problem: '],
  'it waits for the load event of a page that Firefox restores from its cache': [
    'a second card pays after Back',
    'a link in the shop opens the page again',
  ],
}

/**
 * Different behaviour of Firefox itself, with the titles of affected tests.
 * docs/reference/library.md describes it if it affects integrators.
 */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'form-action applies to the post, not to a redirect after it': [
    'if the page’s policy forbids the redirect after a payment',
  ],
}

export const NOT_IN_FIREFOX = { ...UNABLE, ...OTHERWISE }

const plain = (title: string) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Pattern of the titles of all other tests. */
export const IN_FIREFOX = `^(?!.*(${Object.values(NOT_IN_FIREFOX).flat().map(plain).join('|')}))`
