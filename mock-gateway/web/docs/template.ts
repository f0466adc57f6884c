/**
 * The page, in Liquid. Everything that is printed is escaped; `prose` also makes code of what stands in backticks. Each
 * cell bears the head of its column, which narrow screens show beside it.
 */
export const TEMPLATE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ info.title }}: API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
<h1>{{ info.title }}</h1>
<p>{{ info.summary }} As data: <a href="/openapi.json">/openapi.json</a></p>
</header>
<nav aria-label="Contents">
<ul>
{% for group in groups %}<li><a href="#{{ group.name | anchor }}">{{ group.name }}</a>
<ul>{% for call in group.calls %}<li><a href="#{{ call.operationId }}"><b>{{ call.method }}</b> {{ call.path }}</a></li>{% endfor %}</ul></li>
{% endfor %}<li><a href="#objects">Objects</a></li>
<li><a href="#headers">Headers</a></li>
<li><a href="#errors">Errors</a></li>
</ul>
</nav>
<main>
{{ info.description | prose }}
<p>Every answer has the headers {% for name in common %}<a href="#header-{{ name }}">{{ name }}</a>{% unless forloop.last %}, {% endunless %}{% endfor %}.</p>
{% for group in groups %}
<section aria-labelledby="{{ group.name | anchor }}">
<h2 id="{{ group.name | anchor }}">{{ group.name }}</h2>
<p>{{ group.description }}</p>
{% for call in group.calls %}
<article aria-labelledby="{{ call.operationId }}">
<h3 id="{{ call.operationId }}">{{ call.summary }}</h3>
<p class="call"><b>{{ call.method }}</b> <code>{{ call.path }}</code>{% for alias in call.aliases %}, also <code>{{ alias }}</code>{% endfor %}</p>
{{ call.description | prose }}
<p>Login: {{ call.login }}</p>
<pre tabindex="0">{{ call.curl }}</pre>
{% if call.rows.size > 0 %}<div class="wide"><table>
<caption>Parameters</caption>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>{% for row in call.rows %}
<tr><th scope="row"><code>{{ row.name }}</code>{% if row.required %} <em>required</em>{% endif %}</th><td data-head="In">{{ row.where }}</td><td data-head="Type">{{ row | type }}</td><td data-head="Meaning">{{ row | meaning }}</td></tr>{% endfor %}
</tbody></table></div>{% endif %}
<div class="wide"><table>
<caption>Answers</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Body</th><th scope="col">More headers</th></tr></thead>
<tbody>{% for answer in call.answers %}
<tr><th scope="row">{{ answer.status }}</th><td data-head="Meaning">{{ answer.description }}{% if answer.example %}<details><summary>Example</summary><pre tabindex="0">{{ answer.example }}</pre></details>{% endif %}</td><td data-head="Body">{{ answer.type }}{% if answer.body %}<br>{{ answer.body | type }}{% endif %}</td><td data-head="More headers">{% for name in answer.headers %}<a href="#header-{{ name }}">{{ name }}</a>{% unless forloop.last %}, {% endunless %}{% endfor %}</td></tr>{% endfor %}
</tbody></table></div>
{% if call.errors.size > 0 %}<p>Errors: {% for code in call.errors %}<a href="#error-{{ code }}">{{ code }}</a>{% unless forloop.last %}, {% endunless %}{% endfor %}{% if call.forced %}; in test mode any other that metadata.service_instructions asks for{% endif %}.</p>{% endif %}
</article>
{% endfor %}
</section>
{% endfor %}
<section aria-labelledby="objects">
<h2 id="objects">Objects</h2>
{% for object in objects %}
<div class="wide"><table id="object-{{ object.name }}">
<caption>{{ object.name }}{% if object.description != '' %}: {{ object.description }}{% endif %}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>{% for row in object.rows %}
<tr><th scope="row"><code>{{ row.name }}</code></th><td data-head="Type">{{ row | type }}</td><td data-head="Meaning">{{ row | meaning }}</td></tr>{% endfor %}
</tbody></table></div>
{% endfor %}
</section>
<section aria-labelledby="headers">
<h2 id="headers">Headers</h2>
<p>What stands in the headers of answers.</p>
<div class="wide"><table>
<thead><tr><th scope="col">Header</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>{% for header in headers %}
<tr><th scope="row"{% unless header.again %} id="header-{{ header.name }}"{% endunless %}>{{ header.name }}</th><td data-head="Value">{{ header | type }}</td><td data-head="Meaning">{{ header | meaning }}</td></tr>{% endfor %}
</tbody></table></div>
</section>
<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Swedish is the default; <code>locale=en</code> asks for English. The last column says what brings an error about. What begins with <code>metadata</code> is a parameter of a payment in test mode, and can ask for the other errors too.</p>
<div class="wide"><table class="errors">
<thead><tr><th scope="col">Code</th><th scope="col">Name</th><th scope="col">Status</th><th scope="col">Description</th><th scope="col">How to provoke it</th></tr></thead>
<tbody>{% for error in errors %}
<tr><th scope="row"{% unless error.again %} id="error-{{ error.code }}"{% endunless %}>{{ error.code }}</th><td data-head="Name"><code>{{ error.name }}</code></td><td data-head="Status">{{ error.http }}</td><td data-head="Description">{{ error.en }}<br><span lang="sv">{{ error.sv }}</span></td><td data-head="How to provoke it">{{ error.how | prose }}</td></tr>{% endfor %}
</tbody></table></div>
</section>
</main>
</body>
</html>
`

/** How the page looks. Sizes in rem, so that they follow the reader's own. */
export const STYLE = `:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; --line: #8888; --quiet: #8882; --link: #1d4ed8; }
@media (prefers-color-scheme: dark) { :root { --link: #93c5fd; } }
body { margin: 0; }
a { color: var(--link); }
header, nav, main { padding: 1rem; }
header { padding-bottom: 0; }
nav { border-bottom: 1px solid var(--line); font-size: .875rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.25; }
h1 { margin: 0; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.5rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem; background: var(--quiet); border-radius: .375rem; overflow-wrap: normal; }
th code { white-space: nowrap; }
.call { font-size: 1.125rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { font-size: .875rem; font-weight: 600; }
td p { margin: 0; }
td { min-width: 4rem; }
.errors th:nth-child(1) { width: 3.5rem; }
.errors th:nth-child(3) { width: 4rem; }
:target { outline: 2px solid var(--link); outline-offset: .25rem; scroll-margin-top: 1rem; }
:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
@media (max-width: 70rem) {
  nav > ul { display: flex; flex-wrap: wrap; gap: 0 1rem; }
  nav ul ul { display: none; }
  nav a { display: inline-block; padding: .25rem 0; }
}
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: 0; border: 0; }
  th, th code { font-weight: 600; white-space: normal; }
  td { padding-left: 7rem; min-height: 1.5rem; }
  td:empty { display: none; }
  td::before { content: attr(data-head); float: left; width: 6.5rem; margin-left: -7rem; font-size: .875rem; opacity: .75; }
}
@media (min-width: 40.01rem) { .errors { table-layout: fixed; } }
@media (min-width: 70.01rem) {
  body { display: grid; grid-template: auto 1fr / 22rem minmax(0, 1fr); }
  nav { grid-row: 1 / 3; position: sticky; top: 0; height: 100vh; box-sizing: border-box; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  nav ul ul { padding-left: 1rem; }
  header, main { grid-column: 2; max-width: 60rem; padding-left: 2rem; padding-right: 2rem; }
}
`
