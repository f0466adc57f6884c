const { $ } = window
const form = $('#payment')
const message = $('#message')
let order // what the shop's server said about it; one order may need several attempts to pay

async function ask(method, path, body) {
  const headers = body ? { 'Content-Type': 'application/json' } : {}
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
  return response.json()
}

const say = (text) => message.text(text ?? '')

function show(known) {
  order = known
  sessionStorage.setItem('order', order.payment_ref)
  form.find('input[type=hidden]').each((_index, input) => {
    if (input.name in order) input.value = order[input.name]
  })
  if (order.state !== 'paid') return
  $('#checkout, #test-cards').prop('hidden', true)
  $('#order-number').text(order.payment_ref)
  $('#receipt').prop('hidden', false).find('h1').trigger('focus')
}

if (!form.mondido) {
  say(message.data('unreachable'))
  form.on('submit', () => false)
} else {
  form
    .mondido({ type: 'ajax' })
    .on('payment:before', async () => {
      say('')
      if (!order) show(await ask('POST', '/orders'))
    })
    .on('payment:success', async (_event, transaction) => {
      const { id, payment_ref, amount, currency, status, test, response_hash } = transaction
      const told = { id, payment_ref, amount, currency, status, test, response_hash }
      await ask('POST', `/orders/${payment_ref}/result`, told).then(show, () =>
        say(message.data('unknown')),
      )
    })
    .on('payment:fail', async (event, error) => {
      event.preventDefault() // the text is shown here, so the library need not show it
      say(error.outcome === 'unknown' ? message.data('unknown') : error.description)
      if (error.outcome === 'unknown')
        await ask('GET', `/orders/${order.payment_ref}`).then(show, () => {})
    })
}

// After a reload, go on with the order that this tab had begun.
const begun = sessionStorage.getItem('order')
if (begun) ask('GET', `/orders/${begun}`).then(show, () => sessionStorage.removeItem('order'))

$('#another').on('click', () => {
  sessionStorage.removeItem('order')
  location.reload()
})

$('#test-cards').on('click', 'button', (event) => {
  const nextYear = String(new Date().getFullYear() + 1).slice(2)
  $('#card-holder').val('Kim Berg')
  $('#card-number').val('4111 1111 1111 1111')
  $('#card-expiry').val(`12/${nextYear}`)
  $('#card-cvv').val(event.target.dataset.cvv)
  form.find('button').trigger('focus')
})
