/*
 * Finds typing errors in e-mail addresses. The payment page loads this file as a script: it has no
 * imports and sends no requests.
 */

/**
 * Common mail domains. Of two similar ones both are listed, so that neither counts as a typing
 * error.
 */
const DOMAINS =
  `gmail.com googlemail.com mail.com ymail.com email.com hotmail.com hotmail.se hotmail.no hotmail.dk hotmail.fi
  hotmail.co.uk hotmail.de hotmail.fr outlook.com outlook.se outlook.dk live.com live.se live.no live.dk live.fi msn.com
  icloud.com yahoo.com yahoo.se yahoo.no yahoo.dk yahoo.co.uk yahoo.de yahoo.fr telia.com bredband.net comhem.se spray.se
  passagen.se protonmail.com proton.me gmx.com gmx.de gmx.net web.de aol.com online.no broadpark.no kolumbus.fi
  luukku.com jubii.dk`.split(/\s+/)

/** Invalid top-level domains that are typed by mistake. */
const ENDS: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/\.(?:con|cmo|ocm|comm|xom|vom|coom|cpm)$/, '.com'],
  [/\.(?:ney|nte|met)$/, '.net'],
]

/** Trailing dots are not part of the domain. */
const ADDRESS = /^([^\s@]+)@([^\s@][^\s@.]*(?:\.+[^\s@.]+)+)(\.*)$/

/**
 * Suggests a corrected address, `anna@gmail.com` for `anna@gmial.com`; undefined if it looks
 * correct.
 */
export function suggestAddress(typed: string): string | undefined {
  const [, name = '', domain = '', dots] = ADDRESS.exec(typed.trim()) ?? []
  if (name === '') return undefined
  const meant = suggestDomain(domain.toLowerCase())
  return meant === domain.toLowerCase() && dots === '' ? undefined : `${name}@${meant}`
}

function suggestDomain(domain: string): string {
  const near = DOMAINS.includes(domain)
    ? domain
    : DOMAINS.find((known) => isOneSlip(domain, known) && !isAbroad(domain, known))
  if (near !== undefined) return near
  return ENDS.reduce((text, [wrong, right]) => text.replace(wrong, right), domain)
}

/** Two letters at the end are a country: hotmail.nl is not a typing error of hotmail.no. */
const COUNTRY = /\.[a-z]{2}$/

function isAbroad(one: string, other: string): boolean {
  const [here, there] = [COUNTRY.exec(one)?.[0], COUNTRY.exec(other)?.[0]]
  return here !== undefined && there !== undefined && here !== there
}

/** Returns true if one added, missing or wrong letter, or two swapped ones, make the difference. */
function isOneSlip(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}
