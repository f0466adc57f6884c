/** What the browser library says on the console: what is wrong, and what would be right. `{name}` is a fact of the case. */
export type Advice = readonly [wrong: string, right: string]

/**
 * Everything the library tells whoever builds a page, by code. A code with one more word (`integration.before.rejected`)
 * says more exactly what its code says. Served to pages in test mode only, and listed at `/docs` and in docs/reference/library.md.
 */
export const LIBRARY_ADVICE = {
  'integration.no_jquery': [
    'There is no jQuery on the page.',
    'Load jQuery before mondido.js, or use createMondido of the npm package, which needs none.',
  ],
  'integration.jquery_too_old': [
    'jQuery {version} is too old.',
    'Load jQuery {oldest} or newer; 1.12, 2.2, 3 and 4 are tested.',
  ],
  'integration.not_jquery': [
    'Another library than jQuery has the name jQuery or $, Zepto for example.',
    'Load jQuery, or use createMondido of the npm package, which needs none.',
  ],
  'integration.before': ['payment:before failed.', 'Look at what its handlers do.'],
  'integration.before.handler': [
    'A handler of payment:before threw an error, so nothing was paid.',
    'Catch errors in the handler; return false to stop a payment.',
  ],
  'integration.before.rejected': [
    'A promise of payment:before was rejected, so nothing was paid.',
    'Let the promise resolve; with false it stops the payment quietly.',
  ],
  'integration.before.timeout': [
    'A promise of payment:before took longer than {timeout} milliseconds.',
    'Answer sooner, or raise timeouts.before.',
  ],
  'integration.before.check_failed': [
    'The function of option validate threw an error.',
    'Let it return a list of problems, an empty one when all is well.',
  ],
  'integration.before.check_result': [
    'The function of option validate gave no list.',
    'Let it return a list of problems, an empty one when all is well.',
  ],
  'integration.payment_method': [
    'The form asks for another payment method than a card.',
    'Send payers with other methods to the hosted page, or take payment_method out of the form.',
  ],
  'form.not_a_form': [
    'mondido() was called on <{tag}>, which is no form.',
    'Call it on the form element: $("form#payment").mondido().',
  ],
  'form.no_encrypted_fields': [
    'No input of the form is marked for encryption.',
    'Mark the card inputs: <input data-encrypt-attribute="card_number">.',
  ],
  'form.unnamed_field': [
    'A marked input names no parameter.',
    'Write it into the mark: data-encrypt-attribute="card_number".',
  ],
  'form.unreadable_field': [
    'A marked element has no value to encrypt.',
    'Mark an input, or a custom element with a form value or a value.',
  ],
  'form.clear_card_data': [
    'Card data would be sent in clear, in {fields}.',
    'Mark the card inputs with data-encrypt-attribute; what is not to be sent, with data-mondido-ignore.',
  ],
  'form.duplicate_field': [
    'Several inputs disagree about {field}.',
    'Keep one input for each parameter, or give all of them the same value. A live payment takes the last.',
  ],
  'form.file_input': [
    'Files cannot be sent with type ajax.',
    'Add data-mondido-ignore to the file input, or use type form.',
  ],
  'config.option_invalid': ['The option {option} cannot be {value}.', 'Allowed: {allowed}.'],
  'config.public_key_missing': [
    'There is no public key to encrypt with.',
    'Load the script from the gateway with merchant_id, or set the option publicKey.',
  ],
  'config.public_key_invalid': [
    'The public key is not an RSA key in PEM form.',
    'Set publicKey to all of it, from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----, line breaks too.',
  ],
  'config.public_key_weak': [
    'The public key has {bits} bits, less than {least}.',
    'Make the merchant a key of at least {least} bits.',
  ],
  'config.merchant_missing': [
    'The form has no merchant_id, and several merchants are known or none.',
    'Add <input type="hidden" name="merchant_id">, or the option merchantId.',
  ],
  'config.merchant_mismatch': [
    'The script is for merchant {known}, the form for merchant {form}.',
    'Load /v2/mondido.js?merchant_id={form}, or correct merchant_id in the form.',
  ],
  'config.url_invalid': [
    'There is no usable address to pay to.',
    'Leave action and url out when the script comes from the gateway; otherwise set one to its {path}.',
  ],
  'config.url_invalid.mpi': [
    'mpiUrl is no usable address.',
    'Leave it out, or set it to the /v1/mpi_js of the gateway.',
  ],
  'config.insecure_context': [
    'A live payment needs an https page.',
    'Serve the page by https; localhost counts too. A test payment may do without.',
  ],
  'validation.native': ['The browser objects to a field.', 'Show the payer the text of the error.'],
  'validation.card_number': ['The card number cannot be one.', 'Show the payer the text of the error.'],
  'validation.expiry': ['The card has expired, or its expiry is no date.', 'Show the payer the text of the error.'],
  'validation.cvv': ['The security code has a wrong length.', 'Show the payer the text of the error.'],
  'validation.holder': ['The name on the card is missing.', 'Show the payer the text of the error.'],
  'field.too_long': [
    'A value to encrypt has {bytes} bytes; at most {most} fit into the key.',
    'Send a shorter value, or send it unmarked when it is no secret.',
  ],
  'crypto.unavailable': ['This browser cannot encrypt.', 'Ask the payer for a newer one.'],
  'crypto.unavailable.integers': [
    'This browser has no BigInt: it is older than 2020.',
    'Ask the payer for a newer one.',
  ],
  'crypto.unavailable.random': [
    'This browser has no crypto.getRandomValues.',
    'Ask the payer for another one; nothing else is random enough.',
  ],
  'crypto.failed': ['Encrypting {field} failed.', 'See the cause below.'],
  'network.offline': ['The computer is offline.', 'Let the payer try again with a connection.'],
  'network.csp': [
    'The content security policy of the page ({directive}) forbids the payment.',
    'Add the origin of the gateway to {directive}; of type form also the origins that success_url and error_url lead to.',
  ],
  'network.blocked': [
    'Something in the browser stopped the request to {url} at once, an extension for example, or nobody listens there.',
    'Check that the gateway runs at this address, and try without extensions.',
  ],
  'network.timeout': [
    '{url} did not answer within timeouts.request.',
    'The payment may have been made: look it up before the payer tries again.',
  ],
  'network.aborted': ['The page aborted the attempt.', 'Look at the outcome: a request that has left may have paid.'],
  'network.unreachable': [
    '{url} gave no answer to the payment (HTTP status {status}).',
    'Check that the gateway runs there; look the payment up before the payer tries again.',
  ],
  'network.unreachable.left': [
    'The page was left while it paid, and the answer is lost.',
    'Look the payment up before the payer tries again.',
  ],
  'api.malformed': [
    '{url} answered with HTTP status {status} and no transaction.',
    'That is no create address: set action or url to the /v1/transactions of the gateway, or leave both out.',
  ],
  'api.pending': [
    'The transaction is made, and waits for the payer.',
    'Send the payer to the href of error.transaction. Without process=false: ask the service why.',
  ],
  'mpi.blocked': [
    'The browser shows neither a window nor a frame for 3-D Secure.',
    'Pay in the stack of the click, open no other window in it, and use mpi: "auto".',
  ],
  'mpi.closed': ['The payer cancelled 3-D Secure.', 'Nothing was sent; let the payer try again.'],
  'mpi.failed': ['The bank did not confirm the payer: {error}.', 'Nothing was sent; let the payer try again.'],
  'mpi.timeout': ['The bank did not answer within timeouts.mpi.', 'Nothing was sent; let the payer try again.'],
  'mpi.unreachable': [
    'The 3-D Secure service does not answer, or knows nothing of the form that was posted to it.',
    'Nothing was sent; let the payer try again. Look whether the gateway runs, and what the bank’s window shows.',
  ],
  'mpi.csp': [
    'The content security policy of the page ({directive}) forbids 3-D Secure.',
    'Add the origin of the gateway to {directive}; a frame needs frame-src https:.',
  ],
  'mpi.protocol': [
    'The 3-D Secure service gives no mpi_ref.',
    'Set mpiUrl to the /v1/mpi_js of the gateway, or leave it out.',
  ],
  internal: ['The library itself failed.', 'Tell its makers, with the cause below.'],
  'integration.late': [
    '.mondido was called before it was there: jQuery is loaded after mondido.js, a second time, or $ is another library.',
    'Load jQuery once and before mondido.js, and call .mondido when both are there.',
  ],
  'page.no_merchant': ['There is no merchant "{merchant}".', 'Check merchant_id in the address of the script.'],
  'page.two_merchants': [
    'The script was loaded for merchant {known} and again for {added}.',
    'Load it once; with several merchants each form needs its merchant_id.',
  ],
  'page.empty_set': [
    'mondido() was called on an empty set: there is no such form, or not yet.',
    'Call it when the page is read, with the id of the form. Forms of this page: {forms}.',
  ],
  'page.not_mounted': [
    'The command {command} was given to a form that the library does not have.',
    'Call .mondido() on the form first, once.',
  ],
  'page.submit_prevented': [
    'A handler of submit prevented the event twice, so nothing was paid.',
    'Let no handler of the page prevent or stop submit; use payment:before, and the option success for what comes after.',
  ],
  'page.payment_prevented': [
    'payment:before stopped the payment twice: a handler returned false or prevented the event.',
    'Return nothing when the payment may go on.',
  ],
  'page.handler_failed': ['A handler of {event} threw an error.', 'See the cause below; the payment went on.'],
  'page.busy': ['Options cannot change while a payment runs.', 'Change them before the payer presses the button.'],
  'option.unknown': ['There is no option {option}.', 'Use a name of the table of options. {nearest}'],
  'command.unknown': ['There is no command {command}.', 'Use one of the table of commands. {nearest}'],
  'api.refused': ['The service refuses: {error}.', '{explain}'],
  'api.noted': ['The service explains:', '{explain}'],
  'doctor.named_secret': [
    'An encrypted input has a name.',
    'Take the name off: a submit past the library would send the value in clear.',
  ],
  'doctor.autocomplete': [
    'A card input has no autocomplete.',
    'Add cc-number, cc-exp, cc-csc or cc-name, so that browsers can fill it in.',
  ],
  'doctor.secret': [
    'A hidden input looks like the secret of the merchant.',
    'Make the hash on the server; whoever sees the page has the secret now, so change it.',
  ],
  'doctor.payment_ref': ['payment_ref is longer than 12 characters.', 'Use at most 12.'],
  'doctor.amount': ['amount is not written with two decimals.', 'Write it with a point and two decimals: 10.00.'],
  'doctor.ajax_address': [
    'The action leads to /transactions, and type is form: the payer would see JSON.',
    'Set type to ajax, or leave the action out.',
  ],
  'doctor.form_address': [
    'The action leads to /v1/form, and type is ajax: its answer is a redirect for browsers.',
    'Leave the action out, or set it to the /v1/transactions of the gateway.',
  ],
  'doctor.missing': ['The form has no {fields}.', 'Add it as an input; the hash is made on the server.'],
  'doctor.field': ['{field} is no parameter of a payment, and {nearest} is missing.', 'Rename the input to {nearest}.'],
  'doctor.mark': ['{mark} is no parameter that may be encrypted.', 'Write the name of one into the mark. {nearest}'],
  'doctor.attribute': ['There is no option {attribute}.', 'Write the name of an option with dashes. {nearest}'],
  'doctor.event': [
    '{event} is no event of the library: its handler is never called.',
    'Use one of the table of events. {nearest}',
  ],
  'doctor.no_button': [
    'No button of the form submits it.',
    'Take type="button" off, or pay with $("#payment").mondido("submit").',
  ],
  'doctor.no_return': [
    'The form has no {fields}, and type is form: the payer does not come back to the shop.',
    'Add both addresses, or set type to ajax.',
  ],
  'doctor.same_id': [
    'Several elements have the id {id}: $("#{id}") is only the first.',
    'Give each form an id of its own.',
  ],
  'doctor.insecure': ['The page is not served by https.', 'A live payment needs it; localhost counts too.'],
} as const satisfies Readonly<Record<string, Advice>>

/** What the library can tell of. */
export type AdviceCode = keyof typeof LIBRARY_ADVICE
