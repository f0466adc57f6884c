/** What the driver cannot do in Firefox, and the browser tests that need it, by their titles. */
const UNABLE: Readonly<Record<string, readonly string[]>> = {
  'it speaks to the browser’s own protocol in Chromium alone': [
    'the browser’s own autofill',
    'in a modal dialog the live region is heard',
  ],
  'it does not show the body of a request, nor sends it on': [
    'a marked custom element is encrypted by',
    'no clear card number or CVV leaves the page',
    'a stored card is removed by two presses',
    'a wrong hash with default options',
    'on the way back, the library asks what became',
    'on the way back and for good, the shop finds out',
    'when the answer to the payment is lost',
  ],
  'a field that it fills in says nothing of a change': [
    'is typed, corrected and paid with a stored card, whose code decides',
    'a page of 2016 works with the stand-ins',
  ],
  'it does not send a request to another address': ['axe finds nothing to say of the page'],
  'it waits for a page to load that Firefox has kept': [
    'another card after Back pays',
    'leads from the shop to a page once more',
  ],
}

/**
 * What Firefox itself does in another way; docs/reference/library.md says so where an integrator
 * may meet it.
 */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'form-action holds for the post, not for a redirect after it': [
    'the page’s policy forbids the redirect after a payment',
  ],
}

export const NOT_IN_FIREFOX = { ...UNABLE, ...OTHERWISE }

const plain = (title: string) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A pattern of the titles of all other tests. */
export const IN_FIREFOX = `^(?!.*(${Object.values(NOT_IN_FIREFOX).flat().map(plain).join('|')}))`
