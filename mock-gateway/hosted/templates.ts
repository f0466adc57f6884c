const page = (title: string, body: string) => `<!doctype html>
<html lang="{{ locale }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/v1/form/page.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

const summary = `<p class="amount">{{ amount }} {{ currency }}</p>
<p>{{ text.to }} {{ merchant }}<br>{{ text.order }} {{ payment_ref }}</p>
{% if test %}<p class="note">{{ text.test }}</p>{% endif %}`

const field = (name: string, attributes: string) => `<label for="${name}">{{ text.${name} }}</label>
<input id="${name}" name="${name}" ${attributes} required{% if error %} aria-describedby="error"{% endif %}>`

/** The pages by name, in Liquid. Everything that is printed is escaped. */
export const TEMPLATES = {
  'card-form': page(
    '{% if error %}{{ text.error_prefix }} {{ error[locale] }}{% else %}{{ text.title }}{% endif %}',
    `<h1>{{ text.title }}</h1>
${summary}
{% if error %}<p class="error" id="error" role="alert" data-error="{{ error_name }}">{{ error[locale] }}</p>{% endif %}
<form id="mondidopayform" method="post">
${field('card_number', 'inputmode="numeric" autocomplete="cc-number" maxlength="23"')}
${field('card_holder', 'autocomplete="cc-name" maxlength="100"')}
${field('card_expiry', 'inputmode="numeric" autocomplete="cc-exp" maxlength="7"')}
${field('card_cvv', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"')}
<button type="submit">{{ text.pay }} {{ amount }} {{ currency }}</button>
</form>`,
  ),
  receipt: page(
    '{{ text.paid }}',
    `<h1>{{ text.paid }}</h1>
${summary}
{% if back %}<p><a href="{{ back }}">{{ text.back }}</a></p>{% endif %}`,
  ),
  message: page('{{ text.sorry }}', '<h1>{{ text.sorry }}</h1>\n<p class="error" role="alert">{{ error[locale] }}</p>'),
} as const

/** How the pages look. Sizes in rem, so that they follow the reader's own. */
export const STYLE = `:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 1rem; }
main { max-width: 24rem; margin: 2rem auto; }
h1 { font-size: 1.25rem; margin: 0; }
.amount { font-size: 2rem; font-weight: 600; margin: .5rem 0 0; }
.note, .error { border-left: .25rem solid; padding: .25rem .75rem; margin: 1rem 0; }
.error { border-color: #c0262d; }
label { display: block; margin-top: 1rem; }
input, button { box-sizing: border-box; width: 100%; min-height: 2.75rem; font: inherit; padding: .5rem .75rem; border: 1px solid #767676; border-radius: .375rem; }
button { margin-top: 1.5rem; background: #14532d; color: #fff; border-color: #14532d; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
`
