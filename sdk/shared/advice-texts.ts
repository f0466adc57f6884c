/**
 * A message of the browser library on the console: the problem and the solution. `{name}` is a
 * value of the case.
 */
export type AdviceText = readonly [wrong: string, right: string]

/**
 * Messages of the library for developers, by code. A code with one more word
 * (`integration.before.rejected`) is a more specific case. Only pages in test mode load them; they
 * are listed at `/docs` and in docs/reference/library-messages.md.
 */
export const LIBRARY_ADVICE = {
  'integration.no_jquery': [
    'The page has no jQuery.',
    'Load jQuery before mondido.js, or use createMondido of the npm package, which does not need jQuery.',
  ],
  'integration.jquery_too_old': [
    'jQuery {version} is too old.',
    'Load jQuery {oldest} or newer; 1.12, 2.2, 3 and 4 are tested.',
  ],
  'integration.not_jquery': [
    'A library other than jQuery, for example Zepto, uses the name jQuery or $.',
    'Load jQuery, or use createMondido of the npm package, which does not need jQuery.',
  ],
  'integration.before': [
    'payment:before failed.',
    'Check the payment:before handlers of your page.',
  ],
  'integration.before.handler': [
    'A handler of payment:before threw an error, so nothing was paid.',
    'Catch errors in the handler. To stop a payment, return false.',
  ],
  'integration.before.rejected': [
    'A promise in payment:before was rejected, so nothing was paid.',
    'Let the promise resolve. If it resolves with false, the payment stops without an error.',
  ],
  'integration.before.timeout': [
    'A promise in payment:before took longer than {timeout} milliseconds.',
    'Resolve the promise sooner, or raise timeouts.before.',
  ],
  'integration.before.check_failed': [
    'The function of option validate threw an error.',
    'Return a list of problems. If there are none, return an empty list.',
  ],
  'integration.before.check_result': [
    'The function of option validate did not return a list.',
    'Return a list of problems. If there are none, return an empty list.',
  ],
  'integration.payment_method': [
    'The form requests a payment method other than a card.',
    'Send payers with other methods to the payment page, or remove payment_method from the form.',
  ],
  'form.not_a_form': [
    'mondido() was called on <{tag}>, which is not a form.',
    'Call it on the form element: $("form#payment").mondido(). Wait until the page contains it.',
  ],
  'form.no_encrypted_fields': [
    'No input of the form is marked for encryption.',
    'Mark the card inputs: <input data-encrypt-attribute="card_number">.',
  ],
  'form.unnamed_field': [
    'A marked input does not name a parameter.',
    'Add the name to the attribute: data-encrypt-attribute="card_number".',
  ],
  'form.unreadable_field': [
    'A marked element has no value to encrypt.',
    'Mark an input, or a custom element that has a form value or a value.',
  ],
  'form.clear_card_data': [
    'Card data in {fields} would be sent unencrypted.',
    'Mark the card inputs with data-encrypt-attribute. Add data-mondido-ignore to inputs that must not be sent.',
  ],
  'form.duplicate_field': [
    'Several inputs have different values for {field}.',
    'Keep one input for each parameter, or give all of them the same value. A live payment uses the last value.',
  ],
  'form.file_input': [
    'Files cannot be sent with type ajax.',
    'Add data-mondido-ignore to the file input, or use type form.',
  ],
  'config.option_invalid': [
    'The value {value} is invalid for the option {option}.',
    'Allowed values: {allowed}.',
  ],
  'config.public_key_missing': [
    'The library has no public key to encrypt with.',
    'Load the script from the gateway with merchant_id, or set the option publicKey.',
  ],
  'config.public_key_invalid': [
    'The public key is not an RSA key in PEM form.',
    'Set publicKey to the whole key, from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----, with its line breaks.',
  ],
  'config.public_key_weak': [
    'The public key has {bits} bits. At least {least} bits are needed.',
    'Create a key of at least {least} bits for the merchant.',
  ],
  'config.merchant_missing': [
    'The form has no merchant_id, and the page has no script for exactly one merchant.',
    'Add <input type="hidden" name="merchant_id">, or set the option merchantId.',
  ],
  'config.merchant_mismatch': [
    'The script is for merchant {known}, the form for merchant {form}.',
    'Load /v2/mondido.js?merchant_id={form}, or correct merchant_id in the form.',
  ],
  'config.url_invalid': [
    'The library has no valid address to send the payment to.',
    'If the script comes from the gateway, leave out action and url. Otherwise set one of them to its {path}.',
  ],
  'config.url_invalid.mpi': [
    'mpiUrl is not a valid address.',
    'Leave it out, or set it to the /v1/mpi_js of the gateway.',
  ],
  'config.insecure_context': [
    'A live payment needs an https page.',
    'Serve the page over https, or from localhost. A test payment does not need https.',
  ],
  'validation.native': [
    'The browser reports an invalid field.',
    'Show the payer the text of the error.',
  ],
  'validation.card_number': [
    'The card number is invalid.',
    'Show the payer the text of the error.',
  ],
  'validation.expiry': [
    'The card has expired, or its expiry is not a date.',
    'Show the payer the text of the error.',
  ],
  'validation.cvv': [
    'The security code has the wrong length.',
    'Show the payer the text of the error.',
  ],
  'validation.holder': [
    'The name on the card is missing.',
    'Show the payer the text of the error.',
  ],
  'field.too_long': [
    'A value to encrypt has {bytes} bytes. The key allows at most {most} bytes.',
    'Send a shorter value. If it is not a secret, remove data-encrypt-attribute.',
  ],
  'crypto.unavailable': ['This browser cannot encrypt.', 'Ask the payer to use a newer browser.'],
  'crypto.unavailable.integers': [
    'This browser has no BigInt, so it is older than 2020.',
    'Ask the payer to use a newer browser.',
  ],
  'crypto.unavailable.random': [
    'This browser has no crypto.getRandomValues.',
    'Ask the payer to use another browser. The library needs secure random numbers.',
  ],
  'crypto.failed': ['Encrypting {field} failed.', 'See the cause below.'],
  'network.offline': [
    'The computer is offline.',
    'Let the payer try again when the computer is online.',
  ],
  'network.csp': [
    'The Content-Security-Policy of the page ({directive}) blocks the payment.',
    'Add the origin of the gateway to {directive}. With type form, also add the origins of success_url and error_url.',
  ],
  'network.blocked': [
    'The request to {url} failed immediately. No server listens there, or the browser blocked it, for example by an extension.',
    'Check that the gateway runs at this address, and try again without extensions.',
  ],
  'network.timeout': [
    '{url} did not answer within timeouts.request.',
    'The payer may have been charged. Look up the payment before the payer tries again.',
  ],
  'network.aborted': [
    'The page aborted the attempt.',
    'Check error.outcome. If the request was sent, the payer may have been charged.',
  ],
  'network.unreachable': [
    '{url} returned no usable answer to the payment (HTTP status {status}).',
    'Check that the gateway runs there, and look up the payment before the payer tries again.',
  ],
  'network.unreachable.left': [
    'The payer left the page during the payment, and the answer is lost.',
    'Look up the payment before the payer tries again.',
  ],
  'api.malformed': [
    '{url} answered with HTTP status {status} and no transaction.',
    'This address does not create transactions. Set action or url to the /v1/transactions of the gateway, or remove both.',
  ],
  'api.pending': [
    'The transaction was created and is waiting for the payer.',
    'Send the payer to href of error.transaction. If you did not send process=false, contact the service.',
  ],
  'mpi.blocked': [
    'The browser opened neither a window nor a frame for 3-D Secure.',
    'Start the payment directly in the click handler, open no other window in it, and use mpi: "auto".',
  ],
  'mpi.closed': ['The payer cancelled 3-D Secure.', 'Nothing was sent. Let the payer try again.'],
  'mpi.failed': [
    'The bank did not authenticate the payer: {error}.',
    'Nothing was sent. Let the payer try again.',
  ],
  'mpi.timeout': [
    'The bank did not answer within timeouts.mpi.',
    'Nothing was sent. Let the payer try again.',
  ],
  'mpi.unreachable': [
    'The 3-D Secure service does not answer, or did not receive the form.',
    'Nothing was sent. Let the payer try again. Check that the gateway runs, and look at the bank’s window.',
  ],
  'mpi.csp': [
    'The Content-Security-Policy of the page ({directive}) blocks 3-D Secure.',
    'Add the origin of the gateway to {directive}. A frame also needs frame-src https:.',
  ],
  'mpi.protocol': [
    'The 3-D Secure service returned no mpi_ref.',
    'Set mpiUrl to the /v1/mpi_js of the gateway, or leave it out.',
  ],
  internal: ['The library itself failed.', 'Please report this bug, with the cause below.'],
  'integration.late': [
    '.mondido was called before it existed. The page loads jQuery after mondido.js or twice, or $ is another library.',
    'Load jQuery once, before mondido.js, and call .mondido after both have loaded.',
  ],
  'page.no_merchant': [
    'The merchant "{merchant}" does not exist.',
    'Check merchant_id in the address of the script.',
  ],
  'page.two_merchants': [
    'The script was loaded for merchant {known} and again for {added}.',
    'Load the script once. If the page has several merchants, each form needs its merchant_id.',
  ],
  'page.empty_set': [
    'mondido() was called on an empty set. The form does not exist, or not yet.',
    'Call it after the page has loaded, with the id of the form. Forms of this page: {forms}.',
  ],
  'page.not_mounted': [
    'The command {command} was called on a form without the library.',
    'Call .mondido() on the form once before you call commands.',
  ],
  'page.submit_prevented': [
    '{by} prevented the submit event of a valid form, so nothing was paid.',
    '{fix}',
  ],
  'page.payment_prevented': [
    'A payment:before handler stopped the payment twice. It returned false or prevented the event.',
    'Return nothing if the payment can continue.',
  ],
  'page.handler_failed': [
    'A handler of {event} threw an error.',
    'The payment continued. See the cause below.',
  ],
  'page.busy': [
    'Options cannot change during a payment.',
    'Change them before the payer presses the button.',
  ],
  'option.unknown': [
    'The option {option} does not exist.',
    'Use a name from the table of options. {nearest}',
  ],
  'command.unknown': [
    'The command {command} does not exist.',
    'Use a command from the table of commands. {nearest}',
  ],
  'api.refused': ['The gateway returned an error: {error}.', '{explain}'],
  'api.noted': ['Explanation of the gateway:', '{explain}'],
  'doctor.named_secret': [
    'An encrypted input has a name.',
    'Remove the name. If the form is submitted without the library, the browser would send the value unencrypted.',
  ],
  'doctor.autocomplete': [
    'A card input has no autocomplete.',
    'Add cc-number, cc-exp, cc-csc or cc-name, so that browsers can fill it in.',
  ],
  'doctor.secret': [
    'A hidden input looks like the secret of the merchant.',
    'Change the secret, because everyone who sees the page can read it. Calculate the hash on the server.',
  ],
  'doctor.payment_ref': ['payment_ref has more than 12 characters.', 'Use at most 12 characters.'],
  'doctor.amount': [
    'amount is not written with two decimals.',
    'Write it with a point and two decimals: 10.00.',
  ],
  'doctor.ajax_address': [
    'The action is /transactions and type is form, so the payer would see JSON.',
    'Set type to ajax, or remove the action.',
  ],
  'doctor.form_address': [
    'The action is /v1/form and type is ajax, but /v1/form answers with a redirect for browsers.',
    'Remove the action, or set it to the /v1/transactions of the gateway.',
  ],
  'doctor.missing': [
    'The form has no {fields}.',
    'Add it as an input. Calculate the hash on the server.',
  ],
  'doctor.field': [
    '{field} is not a parameter of a payment, and {nearest} is missing.',
    'Rename the input to {nearest}.',
  ],
  'doctor.mark': [
    '{mark} is not a parameter that can be encrypted.',
    'Use the name of an encrypted parameter in data-encrypt-attribute. {nearest}',
  ],
  'doctor.attribute': [
    'The attribute {attribute} does not match an option.',
    'Use the name of an option, written with dashes. {nearest}',
  ],
  'doctor.event': [
    '{event} is not an event of the library, so its handler is never called.',
    'Use an event from the table of events. {nearest}',
  ],
  'doctor.no_button': [
    'The form has no submit button.',
    'Remove type="button", or pay with $("#payment").mondido("submit").',
  ],
  'doctor.no_return': [
    'The form has no {fields} and type is form, so the payer does not return to the shop.',
    'Add both addresses, or set type to ajax.',
  ],
  'doctor.same_id': [
    'Several elements have the id {id}. $("#{id}") selects only the first.',
    'Give each form its own id.',
  ],
  'doctor.insecure': [
    'The page is not served over https.',
    'Serve the page over https, or from localhost. A live payment needs this.',
  ],
} as const satisfies Readonly<Record<string, AdviceText>>

export type AdviceCode = keyof typeof LIBRARY_ADVICE
