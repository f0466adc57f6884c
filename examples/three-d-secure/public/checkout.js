const { $ } = window
const form = $('#payment')
const message = $('#message')
const bank = $('#bank')

// What became of a payment, the shop's server knows: it asks the payment service.
const showOrder = () => location.assign(`/orders/${form.find('[name=payment_ref]').val()}`)

if (!form.mondido) {
  message.text(message.data('unreachable'))
  form.on('submit', () => false)
} else {
  // The library opens the bank's window by itself, in the click that pays. The events only tell
  // about it.
  form
    .mondido({ type: 'ajax' })
    .on('payment:before', () => {
      message.text('')
      bank.text('')
    })
    .on('mpi:open', () => void bank.text(bank.data('open')))
    .on('mpi:close', (_event, { reason }) => void bank.text(`${bank.data('close')} (${reason})`))
    .on('payment:success', showOrder)
    .on('payment:fail', (event, error) => {
      event.preventDefault() // the text is shown here, so the library need not show it
      if (error.outcome === 'unknown' || error.name === 'errors.payment_ref.processed') showOrder()
      else message.text(`${error.description} (${error.name})`)
    })
}

$('#test-cards').on('click', 'button', (event) => {
  const nextYear = String(new Date().getFullYear() + 1).slice(2)
  $('#card-holder').val('Kim Berg')
  $('#card-number').val(event.target.dataset.number)
  $('#card-expiry').val(`12/${nextYear}`)
  $('#card-cvv').val('200')
  form.find('button').trigger('focus')
})
