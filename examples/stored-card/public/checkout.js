const { $ } = window
const form = $('#payment')
const message = $('#message')

// What became of a payment, the shop's server knows: it asks the payment service.
const showOrder = () => location.assign(`/orders/${form.find('[name=payment_ref]').val()}`)

if (!form.mondido) {
  message.text(message.data('unreachable'))
  form.on('submit', () => false)
} else {
  form
    .mondido({ type: 'ajax' })
    .on('payment:before', () => void message.text(''))
    .on('payment:success', showOrder)
    .on('payment:fail', (event, error) => {
      event.preventDefault() // the text is shown here, so the library need not show it
      if (error.outcome === 'unknown' || error.name === 'errors.payment_ref.processed') showOrder()
      else message.text(error.description)
    })
}
