const page = (title: string, body: string, head = '') => `<!doctype html>
<html lang="{{ locale }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/v1/form/page.css">
</head>
<body>
${head}<main>
${body}
</main>
</body>
</html>
`

const summary = `<p class="amount">{{ amount }} {{ currency }}</p>
<p class="quiet">{{ text.order }} {{ payment_ref }}</p>`

/** Says that this is a test, and what the payer may do then. */
const test = (more = '') => `{% if test %}<p class="note">{{ text.test }}${more}</p>{% endif %}`

/** A link, so that the choice works without a script. */
const language = `<header><a href="?lang={{ text.other_language }}" lang="{{ text.other_language }}" hreflang="{{ text.other_language }}">{{ text.other_language_name }}</a></header>
`

/** What is wrong, first thing on the page and in the focus, with a link to the field where that is. */
const problem = `<div class="error" role="alert" data-error="{{ error_name }}" tabindex="-1" autofocus>
<h2>{{ text.problem }}</h2>
<p>{% if error_field %}<a href="#{{ error_field }}">{{ error[locale] }}</a>{% else %}{{ error[locale] }}{% endif %}</p>
</div>`

/** A field with its label; the one with the problem says so and is described by it. */
const field = (name: string, attributes: string, hint = '') => `<label for="${name}">{{ text.${name} }}${hint}</label>
{% if error_field == '${name}' %}<p class="problem" id="${name}_problem">{{ error[locale] }}</p>
{% endif %}<input id="${name}" name="${name}" ${attributes} required{% if error_field == '${name}' %} aria-invalid="true" aria-describedby="${name}_problem"{% endif %}>`

/** The pages by name, in Liquid. Everything that is printed is escaped. */
export const TEMPLATES = {
  'card-form': page(
    '{% if error %}{{ text.error_prefix }} {{ error[locale] }} – {% endif %}{{ text.title }} {{ merchant }}',
    `<h1>{{ text.title }} {{ merchant }}</h1>
${summary}
${test(' {{ text.test_card }}')}
{% if error %}${problem}{% endif %}
<form id="mondidopayform" method="post">
${field('card_number', 'inputmode="numeric" autocomplete="cc-number" maxlength="23"')}
${field('card_holder', 'autocomplete="cc-name" maxlength="100" value="{{ card_holder }}"')}
<div class="pair">
<div>
${field('card_expiry', 'inputmode="numeric" autocomplete="cc-exp" maxlength="7"', ' <small>{{ text.card_expiry_hint }}</small>')}
</div>
<div>
${field('card_cvv', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"', ' <small>{{ text.card_cvv_hint }}</small>')}
</div>
</div>
<button type="submit">{{ text.pay }} {{ amount }} {{ currency }}</button>
</form>`,
    language,
  ),
  receipt: page(
    '{{ text.paid }} – {{ merchant }}',
    `<h1 class="done">{{ text.paid }}</h1>
<p class="quiet">{{ merchant }}</p>
${summary}
${test()}
{% if back %}<p><a class="button" href="{{ back }}">{{ text.back }}</a></p>{% endif %}`,
  ),
  message: page(
    '{{ text.sorry }}',
    '<h1>{{ text.sorry }}</h1>\n<p class="error" role="alert" data-error="{{ error_name }}">{{ error[locale] }}</p>\n<p class="quiet">{{ text.sorry_hint }}</p>',
  ),
} as const

/** How the pages look. Sizes in rem, so that they follow the reader's own. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ink: #17201b; --quiet: #56635b; --paper: #f3f6f4; --card: #fff; --line: #d9e0dc; --field: #7a877f;
  --accent: #14532d; --on-accent: #fff; --bad: #a3121f; --bad-paper: #fdeeee; --note-paper: #fff6dc;
  font: 100%/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #eaf1ed; --quiet: #a7b5ad; --paper: #101512; --card: #1a211d; --line: #333f38; --field: #75847b;
    --accent: #86dba5; --on-accent: #0b2415; --bad: #ffa3a3; --bad-paper: #3a1d1f; --note-paper: #322b16;
  }
}
* { box-sizing: border-box; }
body { max-width: 29rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink); }
header { margin: 0 0 .75rem; text-align: right; }
main { padding: 1.5rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
h1, h2, p { margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; line-height: 1.3; }
h2 { font-size: 1rem; }
a { color: var(--accent); }
small, .quiet { color: var(--quiet); font-size: .875rem; font-weight: 400; }
.amount { font-size: 2.25rem; font-weight: 650; line-height: 1.3; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.done::before { content: "\\2713" / ""; margin-right: .5rem; color: var(--accent); }
.note, .error { margin-top: 1rem; padding: .75rem 1rem; border-left: .25rem solid #b98a00; border-radius: .25rem; background: var(--note-paper); }
.note { font-size: .875rem; }
.error { border-color: var(--bad); background: var(--bad-paper); }
.error a { color: inherit; }
.error + .quiet { margin-top: 1rem; }
label { display: block; margin-top: 1.25rem; font-weight: 550; }
.problem { color: var(--bad); font-size: .875rem; }
input, button, .button { width: 100%; min-height: 2.75rem; font: inherit; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .5rem; }
input { margin-top: .25rem; background: var(--card); color: inherit; font-variant-numeric: tabular-nums; }
input[aria-invalid] { border: 2px solid var(--bad); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; align-items: end; }
.pair small { display: block; }
button, .button { display: block; margin-top: 1.5rem; padding: .6rem .75rem; background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 650; text-align: center; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid #2f7fd6; outline-offset: 2px; }
`
