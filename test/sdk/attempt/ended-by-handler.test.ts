import jQuery from 'jquery'
import { expect, test } from 'vitest'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { mountAtBank, pass, useBank } from '../helpers/bank.ts'
import { press } from '../helpers/shop.ts'

const bank = useBank()

const ABORTED = 'payment:fail network.aborted'
const CASES: [string, string, MondidoOptions, string[]][] = [
  ['the first payment:state', 'payment:state', {}, [ABORTED]],
  ['payment:before, with a promise', 'payment:before', {}, [ABORTED]],
  ['mpi:open of a window', 'mpi:open', {}, ['mpi:open popup', 'mpi:close aborted', ABORTED]],
  [
    'mpi:open of a frame',
    'mpi:open',
    { mpi: 'iframe' },
    ['mpi:open iframe', 'mpi:close aborted', ABORTED],
  ],
]

test('after abort in payment:state of mpi no window is opened', async () => {
  const form = mountAtBank(bank)
  jQuery(form).on(
    'payment:state',
    (_event, { to }) => to === 'mpi' && void jQuery(form).mondido('abort'),
  )
  press(form)
  await pass()
  expect([bank.events, bank.windows]).toEqual([[ABORTED], []])
})

test.for(CASES)(
  'after abort in %s no further window, dialog or request follows',
  async ([, event, options, events]) => {
    const form = mountAtBank(bank, options)
    const late: string[] = []
    jQuery(form).on('payment:before', () => void late.push(...bank.events))
    jQuery(form).on(event as 'payment:before', () => {
      jQuery(form).off(event).mondido('abort')
      return Promise.resolve()
    })
    press(form)
    await pass(600)
    expect(bank.events).toEqual(events)
    expect([late, bank.posts, bank.requests, document.querySelector('dialog, iframe')]).toEqual([
      [],
      [],
      [],
      null,
    ])
    expect(bank.windows.filter(({ closed }) => !closed)).toEqual([])
  },
)

test('destroy in mpi:close leaves the form as it was', async () => {
  const form = mountAtBank(bank)
  jQuery(form).on('mpi:close', () => void jQuery(form).mondido('destroy'))
  press(form)
  await pass()
  jQuery(form).mondido('abort')
  expect(form.hasAttribute('data-mondido-state')).toBe(false)
})

test('retry in mpi:blocked shows no dialog to the payer', async () => {
  const form = mountAtBank(bank)
  bank.isBlocking = true
  jQuery(form).on('mpi:blocked', (_event, { retry }) => {
    bank.isBlocking = false
    retry()
  })
  press(form)
  await pass(100)
  expect(bank.events).toEqual(['mpi:blocked', 'mpi:open popup'])
  expect(document.querySelector('dialog')).toBeNull()
})

test('no window is opened while payment:before waits, if the payer goes to the bank in the page', async () => {
  const form = mountAtBank(bank, { mpi: 'redirect' })
  jQuery(form).on('payment:before', () => Promise.resolve())
  press(form)
  await pass()
  expect([bank.events, bank.windows, bank.posts.length]).toEqual([[], [], 1])
})
