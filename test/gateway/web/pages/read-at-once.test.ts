import { expect, test } from 'vitest'
import { readAtOnce, renderAtOnce } from '../../../../mock-gateway/web/pages/read-at-once.ts'

const liquid = readAtOnce(await import('liquidjs'))
const engine = new liquid.Liquid({
  outputEscape: 'escape',
  ownPropertyOnly: true,
  strictVariables: true,
  strictFilters: true,
})
renderAtOnce(engine, liquid)
engine.registerFilter('joined', (one: unknown, ...others: unknown[]) => [one, ...others].join('+'))

const DATA = {
  name: 'Å & <b>',
  none: null,
  empty: '',
  list: [1, 'two', { three: 3 }],
  texts: { name: 'a text', deep: { name: 'deeper' } },
  key: 'name',
  isTrue: true,
  isFalse: false,
  count: 3,
}

/** What comes of a view, or why nothing does: read at once, and as Liquid reads whoever may have to wait. */
const bothWays = async (view: string) => [
  await (async () => engine.parseAndRenderSync(view, DATA))().catch(String),
  await engine.parseAndRender(view, DATA).catch(String),
]

test.each([
  ['{{ name }} {{ name | raw }}', 'Å &amp; &lt;b&gt; Å & <b>'],
  ['{{ texts.name }} {{ texts[key] }} {{ texts.deep.name }} {{ texts["deep"][key] }}', 'a text a text deeper deeper'],
  ['{{ none }}{{ none.name }}{{ empty }}{{ count }}{{ isFalse }}', '3false'],
  ['{{ list[0] }} {{ list[1] }} {{ list.last.three }} {{ list.size }} {{ name.size }}', '1 two 3 3 7'],
  ['{{ 7 }} {{ "text" | upcase }} {{ name | joined: count, texts.name }}', '7 TEXT Å &amp; &lt;b&gt;+3+a text'],
  ['{% for each in list %}{{ forloop.index }}{% if forloop.last %}.{% endif %}{% endfor %}', '123.'],
  ['{% assign name = texts.deep %}{{ name.name }}', 'deeper'],
  ['{% if none %}1{% elsif empty == "" %}2{% else %}3{% endif %}', '2'],
  ['{% if count > 2 and list.size == count %}yes{% endif %}{% unless isTrue %}no{% endunless %}', 'yes'],
  ['{% if not isFalse %}1{% endif %}{% if isFalse or list contains "two" %}2{% endif %}', '12'],
  ['{% if list != empty %}1{% endif %}{% if none == nil %}2{% endif %}{% if texts != blank %}3{% endif %}', '123'],
  ['{% for each in list %}{% if each == "two" %}{% break %}{% endif %}<{{ each }}>{% endfor %}.', '<1>.'],
  ['{% for each in list %}{% if each == 1 %}{% continue %}{% endif %}<{{ forloop.index }}>{% endfor %}', '<2><3>'],
  ['{% capture all %}a{% if isTrue %}<{{ key }}>{% endif %}{% endcapture %}{{ all | raw }}', 'a<name>'],
  ['{% if (1..3) contains 2 %}in it{% endif %}', 'in it'],
])('%s is read at once as it was', async (view, text) => {
  expect(await bothWays(view)).toEqual([text, text])
})

test.each([
  '{{ nothing }}',
  '{% if isTrue %}{% for each in list %}\n{{ nothing }}{% endfor %}{% endif %}',
  '{{ texts.nothing }}',
  '{{ list[7] }}',
  '{% if nothing %}{% endif %}',
  '{{ texts[nothing] }}',
])('%s is missing as it was', async (view) => {
  const [atOnce, asBefore] = await bothWays(view)
  expect(atOnce).toContain('undefined variable')
  expect(atOnce).toBe(asBefore)
})
