import { expect, test } from 'vitest'
import { getEntryByKey } from '../../../../mock-gateway/domain/errors/errors.ts'
import { createQrCode } from '../../../../mock-gateway/web/pages/qr.ts'
import {
  answerView,
  renderApp,
  renderResult,
  renderWaiting,
} from '../../../../mock-gateway/web/three-d-secure/bank-pages.ts'
import type { ShownChallenge } from '../../../../mock-gateway/web/three-d-secure/challenge.ts'
import { renderChallenge } from '../../../../mock-gateway/web/three-d-secure/challenge-page.ts'
import {
  type BankView,
  renderMessage,
  renderPage,
} from '../../../../mock-gateway/web/three-d-secure/page.ts'
import { en } from '../../../../mock-gateway/web/three-d-secure/texts/en.ts'
import { expectEscaped, withMarkup } from '../../../helpers/markup.ts'

const CHALLENGE: ShownChallenge = {
  merchant: 'Merchant 1',
  amount: '10.00',
  currency: 'sek',
  price: 'SEK 10.00',
  date: '14 March 2026',
  card: { brand: 'visa', name: 'Visa', last4: '1111' },
  card_number: '411111******1111',
  question: 'choice',
  step: 'asked',
  answers: [
    { name: 'cafe', gives: 'right', label: 'At a café' },
    { name: 'none', gives: 'N', label: 'At none of these' },
  ],
  code: null,
  wrong_codes: 1,
  tries_left: 2,
  new_codes: 1,
  new_codes_left: 1,
  more_time_left: 1,
  minutes_left: 9,
  expires_at: '2026-03-14T12:00:00Z',
  outcomes: [],
  by: 'choosing',
  several: false,
  scanned: true,
  words: { title: 'Answer', wrong: 'Wrong', says: {}, answers: {} },
  says: 'Where did you last pay?',
  said: 'At a café',
  right: 'At a café',
  endings: [{ name: 'cancel', label: 'The payer cancels' }],
  cases: [{ number: 1, label: 'Authenticated', seconds: 5 }],
  helper: true,
  href: 'https://gateway.example',
  app: 'https://gateway.example/app',
  message: '{}',
  origin: 'https://shop.example',
}

const asked = (by: ShownChallenge['by'], over: Partial<ShownChallenge> = {}) =>
  renderChallenge({ ...withMarkup(CHALLENGE), by, ...over })

const render = (view: BankView) => {
  const getAddress = (path: string) => `/assets/${path}`
  const context = { locale: 'en', text: withMarkup(en), nonce: 'n', getAddress } as const
  return renderPage(context, view(context))
}

const VIEWS: Readonly<Record<string, BankView>> = {
  'a typed code': asked('typing'),
  'a new code': asked('typing', { wrong_codes: 0 }),
  'one answer': asked('choosing'),
  'several answers': asked('choosing', { several: true }),
  'an app': asked('app'),
  'the open app': renderApp(withMarkup(CHALLENGE), true),
  'the answered app': renderApp(withMarkup(CHALLENGE), false),
  waiting: renderWaiting(withMarkup(CHALLENGE)),
  'the answer': answerView(withMarkup(''), withMarkup('')),
  'the result': renderResult(withMarkup({ event: 'mpi', success: false, error: 'error' }), 'null'),
  'an error': renderMessage(getEntryByKey('errors.not_found'), withMarkup('')),
}

test.each(Object.keys(VIEWS))('markup in every text of the bank is text: %s', (name) => {
  const view = VIEWS[name]
  if (view) expectEscaped(render(view))
})

test('the choice of the result is shown to testers only', () => {
  expect(String(render(asked('typing')))).toContain('bank-choose')
  expect(String(render(asked('typing', { helper: false })))).not.toContain('bank-choose')
})

test('the QR code of an electronic ID contains the address of the app until it is scanned', () => {
  const picture = `d="${createQrCode(`${CHALLENGE.app}?lang=en`)?.path}"`
  const page = (step: string) => String(render(renderChallenge({ ...CHALLENGE, by: 'app', step })))
  expect(page('waiting')).toContain(picture)
  expect(page('scanned')).not.toContain('<svg class="qr"')
})
